import type { ComponentChildren, JSX } from "preact";

type Kind = "plain" | "primary" | "danger" | "quiet";

interface ButtonProps extends Omit<JSX.HTMLAttributes<HTMLButtonElement>, "label"> {
  kind?: Kind;
  /** What a screen reader says where the button shows a sign only. */
  label?: string;
  disabled?: boolean;
  type?: "button" | "submit";
  children?: ComponentChildren;
}

/** A button, at least 44 px high for fingers. */
export function Button({ kind = "plain", label, children, type = "button", ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      class={`button ${kind} ${typeof rest.class === "string" ? rest.class : ""}`}
      aria-label={label}
      title={rest.title ?? label}
    >
      {children}
    </button>
  );
}

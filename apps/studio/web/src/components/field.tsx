import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";

interface Common {
  label: string;
  /** A sentence under the field. */
  hint?: ComponentChildren;
  error?: string | null;
}

interface FieldProps extends Common {
  /** Gets what the control has to carry to be labeled. */
  children: (control: { id: string; "aria-describedby"?: string }) => ComponentChildren;
}

/** A labeled control with a hint and, where there is one, an error. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const about = hint || error ? `${id}-about` : undefined;
  return (
    <div class={error ? "field wrong" : "field"}>
      <label for={id}>{label}</label>
      {children({ id, "aria-describedby": about })}
      {about && (
        <div class="field-about" id={about}>
          {error ? <span class="field-error">⚠ {error}</span> : hint}
        </div>
      )}
    </div>
  );
}

type InputAttributes = Omit<JSX.InputHTMLAttributes<HTMLInputElement>, "label" | "onInput">;

interface TextFieldProps extends Common, InputAttributes {
  onText: (text: string) => void;
}

/** A labeled line of text (or number, by `type`). */
export function TextField({ label, hint, error, onText, ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <input
          {...rest}
          {...control}
          aria-invalid={error ? true : undefined}
          onInput={(event) => onText(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface SelectFieldProps<T extends string> extends Common {
  value: T;
  options: { value: T; text: string }[];
  onValue: (value: T) => void;
}

/** A labeled choice of one. */
export function SelectField<T extends string>(props: SelectFieldProps<T>) {
  const { label, hint, error, value, options, onValue } = props;
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <select
          {...control}
          value={value}
          onChange={(event) => onValue(event.currentTarget.value as T)}
        >
          {options.map((one) => (
            <option key={one.value} value={one.value} selected={one.value === value}>
              {one.text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface SwitchProps {
  label: ComponentChildren;
  checked: boolean;
  disabled?: boolean;
  hint?: ComponentChildren;
  onChecked: (checked: boolean) => void;
}

/** Yes or no. */
export function Switch({ label, checked, disabled, hint, onChecked }: SwitchProps) {
  return (
    <label class="switch">
      <input
        type="checkbox"
        role="switch"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChecked(event.currentTarget.checked)}
      />
      <span>
        {label}
        {hint && <span class="field-about">{hint}</span>}
      </span>
    </label>
  );
}

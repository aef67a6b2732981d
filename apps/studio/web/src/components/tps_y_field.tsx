import type { ComponentChildren } from "preact";
import { SelectField } from "./field";

export type TpsY = "bottom" | "top";

const options: { value: TpsY; text: string }[] = [
  { value: "bottom", text: "bottom, as tpsDig does" },
  { value: "top", text: "top, as images do" },
];

interface TpsYFieldProps {
  value: TpsY;
  onValue: (value: TpsY) => void;
  hint: ComponentChildren;
}

/** Which way up TPS files are: they do not say it themselves. */
export function TpsYField(props: TpsYFieldProps) {
  return <SelectField label="TPS counts y from the" options={options} {...props} />;
}

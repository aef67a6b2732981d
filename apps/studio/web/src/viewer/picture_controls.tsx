// Brightness and contrast of the image on the screen, and the window of one with many bits.
import { useEffect, useState } from "preact/hooks";
import * as api from "../api";
import { Button } from "../components/button";
import type { ImageValues } from "../types";
import { bare, look, plainLook } from "./look";

interface PictureControlsProps {
  project: number;
  image: number;
  window: api.Window | null;
  onWindow: (window: api.Window | null) => void;
}

/** A button over the image, and what it opens. */
export function PictureControls(props: PictureControlsProps) {
  const [open, setOpen] = useState(false);
  const changed = look.value !== plainLook || props.window !== null;
  return (
    <div class="picture-controls">
      <Button
        class="sign"
        label="Brightness and contrast"
        aria-expanded={open}
        aria-pressed={changed}
        onClick={() => setOpen(!open)}
      >
        ◐
      </Button>
      <Button
        class="sign"
        label="Hide points, names and regions (X)"
        aria-pressed={bare.value}
        onClick={() => (bare.value = !bare.value)}
      >
        {bare.value ? "◌" : "◉"}
      </Button>
      {open && <Panel {...props} />}
    </div>
  );
}

function Panel({ project, image, window, onWindow }: PictureControlsProps) {
  const [values, setValues] = useState<ImageValues | null>(null);
  useEffect(() => {
    let wanted = true;
    setValues(null);
    api.imageValues(project, image).then(
      (found) => wanted && setValues(found),
      () => undefined, // without them there is no window to choose
    );
    return () => {
      wanted = false;
    };
  }, [project, image]);
  const reset = () => {
    look.value = plainLook;
    onWindow(null);
  };
  return (
    <div class="picture-panel" role="group" aria-label="How the image is shown">
      <Slider
        label="Brightness"
        value={look.value.brightness}
        from={0.3}
        to={3}
        step={0.05}
        onValue={(brightness) => (look.value = { ...look.value, brightness })}
      />
      <Slider
        label="Contrast"
        value={look.value.contrast}
        from={0.3}
        to={4}
        step={0.05}
        onValue={(contrast) => (look.value = { ...look.value, contrast })}
      />
      {values?.deep && (
        <WindowSliders
          values={values}
          window={window ?? { low: values.low, high: values.high }}
          onWindow={onWindow}
        />
      )}
      <p class="muted small-text">Only for the screen: points and regions do not change.</p>
      <Button onClick={reset}>Reset</Button>
    </div>
  );
}

interface WindowSlidersProps {
  values: Extract<ImageValues, { deep: true }>;
  window: api.Window;
  onWindow: (window: api.Window) => void;
}

/** The middle and the width of the values that are told apart, as radiographs are looked at. */
function WindowSliders({ values, window, onWindow }: WindowSlidersProps) {
  const range = Math.max(1, values.most - values.least);
  const level = (window.low + window.high) / 2;
  const width = window.high - window.low;
  const set = (newLevel: number, newWidth: number) => {
    const low = Math.round(Math.min(Math.max(newLevel - newWidth / 2, 0), 65534));
    const high = Math.round(Math.min(Math.max(newLevel + newWidth / 2, low + 1), 65535));
    onWindow({ low, high });
  };
  const step = Math.max(1, Math.round(range / 256));
  return (
    <>
      <Slider
        label="Level"
        value={level}
        from={values.least}
        to={values.most}
        step={step}
        late
        onValue={(value) => set(value, width)}
      />
      <Slider
        label="Window"
        value={width}
        from={step}
        to={range}
        step={step}
        late
        onValue={(value) => set(level, value)}
      />
    </>
  );
}

interface SliderProps {
  label: string;
  value: number;
  from: number;
  to: number;
  step: number;
  /** Only where it is let go: each value asks the server for another picture. */
  late?: boolean;
  onValue: (value: number) => void;
}

function Slider({ label, value, from, to, step, late, onValue }: SliderProps) {
  const change = (event: Event) => onValue(Number((event.currentTarget as HTMLInputElement).value));
  return (
    <label class="picture-slider">
      <span>{label}</span>
      <input
        type="range"
        min={from}
        max={to}
        step={step}
        value={value}
        onInput={late ? undefined : change}
        onChange={late ? change : undefined}
      />
    </label>
  );
}

/** The window of an image: the default again for each other one. */
export function useWindow(image: number): [api.Window | null, (window: api.Window | null) => void] {
  const [held, setHeld] = useState<{ image: number; window: api.Window | null }>({
    image,
    window: null,
  });
  return [
    held.image === image ? held.window : null,
    (window) => setHeld({ image, window }),
  ];
}

import { useEffect, useRef } from "preact/hooks";
import { shapeAt } from "../../palette";
import type { Landmark, Point } from "../../types";
import { Swatch } from "./swatch";
import type { Editor } from "./use_editor";

interface LandmarkListProps {
  landmarks: Landmark[];
  editor: Editor;
  onChoose: (landmark: number) => void;
}

/** All landmarks with their state; a placed one is selected by it, another is placed next. */
export function LandmarkList({ landmarks, editor, onChoose }: LandmarkListProps) {
  const { selected, target } = editor.choice;
  return (
    <ol class="point-list" aria-label="Landmarks">
      {landmarks.map((landmark, index) => (
        <Row
          key={landmark.id}
          landmark={landmark}
          index={index}
          point={editor.points.get(landmark.id)}
          isSelected={landmark.id === selected}
          isTarget={landmark.id === target}
          onChoose={onChoose}
        />
      ))}
    </ol>
  );
}

interface RowProps {
  landmark: Landmark;
  index: number;
  point: Point | undefined;
  isSelected: boolean;
  isTarget: boolean;
  onChoose: (landmark: number) => void;
}

function Row({ landmark, index, point, isSelected, isTarget, onChoose }: RowProps) {
  const element = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isSelected || isTarget) element.current?.scrollIntoView({ block: "nearest" });
  }, [isSelected, isTarget]);
  const classes = ["point-row", isSelected && "selected", isTarget && "target"].filter(Boolean);
  return (
    <li ref={element}>
      <button
        type="button"
        class={classes.join(" ")}
        aria-pressed={isSelected}
        aria-current={isTarget ? "step" : undefined}
        data-landmark={landmark.id}
        data-state={point?.state ?? "open"}
        onClick={() => onChoose(landmark.id)}
      >
        <span class="point-number">{index + 1}</span>
        <Swatch shape={shapeAt(index)} color={landmark.color} filled={point?.state === "visible"} />
        <span class="point-name">
          {landmark.name}
          {landmark.pair && <span class="point-pair">↔ {landmark.pair}</span>}
        </span>
        <span class="point-state">{stateText(point, isTarget)}</span>
      </button>
    </li>
  );
}

function stateText(point: Point | undefined, isTarget: boolean): string {
  if (!point) return isTarget ? "next" : "";
  return { visible: "✓", hidden: "hidden", missing: "not visible" }[point.state];
}

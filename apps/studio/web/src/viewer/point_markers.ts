// From points and their scheme to what the viewer draws.
import { shapeAt } from "../palette";
import type { Landmark, Point } from "../types";
import type { Marker } from "./markers";

/** The markers of points that have a place; those of other schemes and missing ones have none. */
export function markersOf(points: Point[], landmarks: Landmark[]): Marker[] {
  const byId = new Map(points.map((point) => [point.landmark, point]));
  return landmarks.flatMap((landmark, index) => {
    const point = byId.get(landmark.id);
    return point && point.x !== null && point.y !== null
      ? [markerOf(landmark, index, { x: point.x, y: point.y }, look(point))]
      : [];
  });
}

export function markerOf(
  landmark: Landmark,
  index: number,
  at: { x: number; y: number },
  look: Marker["look"],
): Marker {
  const { id, name, color } = landmark;
  return { id, name, number: index + 1, color, shape: shapeAt(index), look, ...at };
}

function look(point: Point): Marker["look"] {
  return point.state === "hidden" ? "hidden" : "visible";
}

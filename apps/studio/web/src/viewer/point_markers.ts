// From points and their scheme to what the viewer draws.
import { shapeAt } from "../palette";
import type { Landmark, Point } from "../types";
import type { Marker } from "./markers";
import type { Position } from "./view";

/** The markers of points that have a place; those of other schemes and missing ones have none. */
export function markersOf(points: Point[], landmarks: Landmark[]): Marker[] {
  const byId = new Map(points.map((point) => [point.landmark, point]));
  return landmarks.flatMap((landmark, index) => {
    const point = byId.get(landmark.id);
    return (point && pointMarker(landmark, index, point)) ?? [];
  });
}

/** null where the point is missing. */
export function pointMarker(landmark: Landmark, index: number, point: Point): Marker | null {
  if (point.x === null || point.y === null) return null;
  const look = point.state === "hidden" ? "hidden" : "visible";
  return markerOf(landmark, index, { x: point.x, y: point.y }, look);
}

export function markerOf(
  landmark: Landmark,
  index: number,
  { x, y }: Position,
  look: Marker["look"],
): Marker {
  const { id, name, color } = landmark;
  return { id, name, number: index + 1, color, shape: shapeAt(index), look, x, y };
}

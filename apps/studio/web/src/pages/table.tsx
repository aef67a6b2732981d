// Which component shows which page.
import type { ComponentType } from "preact";
import type { PageName, Route } from "../router";

/** What every page gets. The open project, its scheme and images are signals in src/project.ts. */
export interface PageProps {
  route: Route;
}

export const pages: Partial<Record<PageName, ComponentType<PageProps>>> = {};

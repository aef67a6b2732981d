// Which component shows which page.
import type { ComponentType } from "preact";
import type { PageName, Route } from "../router";
import { AnnotatePage } from "../annotate/annotate_page";
import { AuditPage } from "./audit";
import { ComparePage } from "./compare";
import { ExportPage } from "./export";
import { ImagesPage } from "./images";
import { ImportPage } from "./import";
import { ProjectsPage } from "./projects";
import { ReviewPage } from "./review";
import { SchemePage } from "./scheme";
import { SettingsPage } from "./settings";

/** What every page gets. The open project, its scheme and images are signals in src/project.ts. */
export interface PageProps {
  route: Route;
}

export const pages: Record<PageName, ComponentType<PageProps>> = {
  projects: ProjectsPage,
  images: ImagesPage,
  scheme: SchemePage,
  import: ImportPage,
  review: ReviewPage,
  audit: AuditPage,
  annotate: AnnotatePage,
  compare: ComparePage,
  export: ExportPage,
  settings: SettingsPage,
};

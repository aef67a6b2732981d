// Which component shows which page.
import type { ComponentType } from "preact";
import type { PageName, Route } from "../router";
import { AcceptPage } from "./accept/accept_page";
import { AnnotatePage } from "./annotate/annotate_page";
import { AuditPage } from "./audit/audit_page";
import { ComparePage } from "./compare/compare_page";
import { ExportPage } from "./export/export_page";
import { ImagesPage } from "./images/images_page";
import { ImportPage } from "./import/import_page";
import { ManualPage } from "./manual/manual_page";
import { MeasuresPage } from "./measures/measures_page";
import { ProjectsPage } from "./projects/projects_page";
import { ReviewPage } from "./review/review_page";
import { SchemePage } from "./scheme/scheme_page";
import { SettingsPage } from "./settings/settings_page";

/** What every page gets. The open project, its scheme and images are signals in src/project.ts. */
export interface PageProps {
  route: Route;
}

export const pages: Record<PageName, ComponentType<PageProps>> = {
  projects: ProjectsPage,
  manual: ManualPage,
  images: ImagesPage,
  scheme: SchemePage,
  import: ImportPage,
  review: ReviewPage,
  audit: AuditPage,
  annotate: AnnotatePage,
  accept: AcceptPage,
  measures: MeasuresPage,
  compare: ComparePage,
  export: ExportPage,
  settings: SettingsPage,
};

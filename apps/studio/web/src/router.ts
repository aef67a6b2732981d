// Pages by the part of the address after #, so that the server has one page to serve.
import { signal } from "@preact/signals";

const pageNames = [
  "projects",
  "manual",
  "images",
  "scheme",
  "import",
  "annotate",
  "review",
  "audit",
  "accept",
  "measures",
  "compare",
  "export",
  "settings",
] as const;

export type PageName = (typeof pageNames)[number];

export interface Route {
  page: PageName;
  project: number | null;
  image: number | null;
}

/** #/ is the list of projects, #/manual the manual, #/p/1/annotate/12 image 12 of project 1 on the page "annotate". */
function parseRoute(hash: string): Route {
  if (hash === "#/manual") return { page: "manual", project: null, image: null };
  const found = /^#\/p\/(\d+)(?:\/([a-z]+))?(?:\/(\d+))?$/.exec(hash);
  if (!found) return { page: "projects", project: null, image: null };
  const page = pageNames.find((name) => name === found[2]) ?? "images";
  return { page, project: Number(found[1]), image: found[3] ? Number(found[3]) : null };
}

/** The address of a page, for href. */
export function hrefOf(page: PageName, project?: number | null, image?: number | null): string {
  if (page === "manual") return "#/manual";
  if (page === "projects" || !project) return "#/";
  return `#/p/${project}/${page}${image ? `/${image}` : ""}`;
}

export const route = signal<Route>(parseRoute(location.hash));

window.addEventListener("hashchange", () => {
  route.value = parseRoute(location.hash);
});

/** Goes to a page; `replace` leaves no entry to come back to. */
export function go(
  page: PageName,
  project?: number | null,
  image?: number | null,
  replace = false,
) {
  const href = hrefOf(page, project, image);
  if (!replace) {
    location.hash = href;
    return;
  }
  history.replaceState(null, "", href);
  route.value = parseRoute(href);
}

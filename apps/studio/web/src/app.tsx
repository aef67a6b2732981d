// The shell around every page: where one is, who one is, whether everything is saved.
import { useEffect } from "preact/hooks";
import { Header } from "./components/header";
import { Help, helpOpen } from "./components/help";
import { NameDialog } from "./components/name_dialog";
import { Toasts } from "./components/toast";
import { useKeys } from "./keys";
import { pages } from "./pages/page_table";
import { loaded, openProject, project, projectError } from "./project";
import { StoppedDialog } from "./sync/conflict_dialog";
import { TroubleStrip } from "./sync/save_state";
import { hrefOf, route, type Route } from "./router";

export function App() {
  const here = route.value;
  useEffect(() => void openProject(here.project), [here.project]);
  useTitle(here);
  useKeys("Everywhere", [
    { keys: ["?"], help: "show or hide these keys", run: () => (helpOpen.value = true) },
  ]);
  return (
    <div class="shell">
      <a class="skip" href="#main" onClick={skipToMain}>
        Skip to the page
      </a>
      <Header route={here} />
      <main id="main" tabIndex={-1} class={`page page-${here.page}`}>
        <Page route={here} />
      </main>
      <Help />
      <NameDialog />
      <TroubleStrip />
      <StoppedDialog />
      <Toasts />
    </div>
  );
}

// The address after # names the page, so the link must not change it.
function skipToMain(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

function useTitle(here: Route): void {
  const name = here.project === null ? null : project.value?.name;
  useEffect(() => {
    document.title = name ? `${name} · caos studio` : "caos studio";
  }, [name]);
}

function Page({ route: here }: { route: Route }) {
  const Shown = pages[here.page];
  if (here.project !== null && projectError.value !== null) return <Missing />;
  // Until the effect above has closed the project before, that one is still loaded.
  if (here.project !== null && loaded.value !== here.project) return <p class="empty">Loading…</p>;
  return <Shown key={`${here.page} ${here.project}`} route={here} />;
}

function Missing() {
  return (
    <div class="empty" role="alert">
      <p>{projectError.value}</p>
      <p>
        <a href={hrefOf("projects")}>All projects</a>
      </p>
    </div>
  );
}

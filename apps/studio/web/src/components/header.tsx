import { annotator, askingName, theme, type Theme } from "../preferences";
import { project } from "../project";
import { GuaranteeBadge } from "../regions/badge";
import { hrefOf, type Route } from "../router";
import { ConnectionState } from "../sync/save_state";
import { saveState } from "../sync/sync";
import { Button } from "./button";
import { helpOpen } from "./help";
import { PageTabs } from "./page_tabs";

/** Project, tabs, state of saving and connection, annotator, light or dark, help. */
export function Header({ route }: { route: Route }) {
  return (
    <header class="header">
      <a class="brand" href={hrefOf("projects")} title="All projects">
        <img src="/favicon.svg" alt="" width={24} height={24} />
        <span class="brand-name">{project.value?.name ?? "caos studio"}</span>
      </a>
      {route.project !== null && <PageTabs route={route} />}
      <div class="header-end">
        {route.project !== null && <GuaranteeBadge />}
        {(route.project !== null || saveState.value.kind !== "saved") && <ConnectionState />}
        <Who />
        <ThemeButton />
        <Button
          kind="quiet"
          class="sign"
          label="Help: manual and keys (?)"
          onClick={() => (helpOpen.value = true)}
        >
          ?
        </Button>
      </div>
    </header>
  );
}

function Who() {
  return (
    <Button
      kind="quiet"
      class="who"
      title="Who is annotating"
      onClick={() => (askingName.value = true)}
    >
      <PersonSign />
      <span class="who-name">{annotator.value === "" ? "Your name" : annotator.value}</span>
    </Button>
  );
}

// Drawn, as few systems have a letter for it.
function PersonSign() {
  return (
    <svg width={16} height={16} viewBox="0 0 16 16" fill="currentcolor" aria-hidden="true">
      <circle cx={8} cy={4.5} r={3.5} />
      <path d="M1 15c0-4 3-6 7-6s7 2 7 6z" />
    </svg>
  );
}

const nextTheme: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };
const themeSigns: Record<Theme, string> = { system: "◐", light: "☀", dark: "☾" };

function ThemeButton() {
  const label = `Colors: ${theme.value === "system" ? "as the system" : theme.value}. Change`;
  return (
    <Button
      kind="quiet"
      class="sign"
      label={label}
      onClick={() => (theme.value = nextTheme[theme.value])}
    >
      {themeSigns[theme.value]}
    </Button>
  );
}

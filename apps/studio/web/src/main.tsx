// Styles that all pages share come first, so that those of a page can differ from them.
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/components.css";
import "./styles/shell.css";
import "./styles/viewer.css";
import "./styles/sync.css";
import { render } from "preact";
import { App } from "./app";
import { startSync } from "./sync/sync";
import { startLanguage } from "./words/language";

const root = document.getElementById("studio");
if (root) {
  startLanguage();
  startSync();
  root.textContent = "";
  render(<App />, root);
}

import { render } from "preact";
import { App } from "./app";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/components.css";
import "./styles/shell.css";
import "./styles/viewer.css";

const root = document.getElementById("studio");
if (root) {
  root.textContent = "";
  render(<App />, root);
}

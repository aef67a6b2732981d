import { useEffect, useState } from "preact/hooks";
import { health } from "../api";
import { annotator, answerName, askingName } from "../preferences";
import { Button } from "./button";
import { Dialog } from "./dialog";
import { TextField } from "./field";

/** Asks who annotates, when that is first needed; the shell shows it. */
export function NameDialog() {
  return askingName.value ? <Question /> : null;
}

function Question() {
  const [name, setName] = useState(annotator.value);
  const answer = (event: Event) => {
    event.preventDefault();
    if (name.trim() !== "") answerName(name);
  };
  return (
    <Dialog title="Who is annotating?" onClose={() => answerName(null)}>
      <form onSubmit={answer} class="stack">
        <TextField
          label="Your name"
          value={name}
          onText={setName}
          maxLength={100}
          autofocus
          autocomplete="name"
          hint="Kept with every point you place, so that others see who placed what."
        />
        <div class="row end">
          <Button onClick={() => answerName(null)}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={name.trim() === ""}>
            Continue
          </Button>
        </div>
      </form>
      <LogOut />
    </Dialog>
  );
}

// A form of HTML would not do: under the page's referrer policy it comes from nowhere, which the
// server refuses.
async function logOut(): Promise<void> {
  await fetch("/logout", { method: "POST", redirect: "manual" });
  location.assign("/login");
}

/** Shown where the studio asks for a token. */
function LogOut() {
  const [asksForToken, setAsksForToken] = useState(false);
  useEffect(() => {
    health().then(
      (answer) => setAsksForToken(answer.login),
      () => undefined, // offline: no server to log out from
    );
  }, []);
  if (!asksForToken) return null;
  return (
    <Button kind="quiet" onClick={() => void logOut()}>
      Log out of the studio in this browser
    </Button>
  );
}

import { signal } from "@preact/signals";
import { keyGroups } from "../keys";
import { hrefOf } from "../router";
import { type Language, language, speak } from "../words/language";
import { Dialog } from "./dialog";

export const helpOpen = signal(false);

const words: Record<string, string> = {
  ctrl: "Ctrl",
  shift: "Shift",
  alt: "Alt",
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Escape: "Esc",
  PageUp: "Page up",
  PageDown: "Page down",
};

function Keys({ keys }: { keys: string }) {
  // The last + of "ctrl++" is the key itself.
  const parts = keys.split(/\+(?=.)/);
  return (
    <span class="keys">
      {parts.map((part) => (
        <kbd key={part}>{words[part] ?? (part.length === 1 ? part.toUpperCase() : part)}</kbd>
      ))}
    </span>
  );
}

/** All keys that are in force, by `?`. */
export function Help() {
  if (!helpOpen.value) return null;
  return (
    <Dialog title="Help" wide onClose={() => (helpOpen.value = false)}>
      <p class="help-manual">
        <a class="button" href={hrefOf("manual")} onClick={() => (helpOpen.value = false)}>
          Open the manual
        </a>
        <select
          class="language"
          aria-label="Language"
          value={language}
          onChange={(event) => speak(event.currentTarget.value as Language)}>
          <option value="en" translate={false} selected={language === "en"}>
            English
          </option>
          <option value="de" translate={false} selected={language === "de"}>
            Deutsch
          </option>
        </select>
        <span class="muted">What the pages do and what the guarantee means, with pictures.</span>
      </p>
      <h3>Keys of this page</h3>
      <div class="help-groups">
        {keyGroups.value.map((group) => (
          <section key={group.title}>
            <h3>{group.title}</h3>
            <dl class="help-keys">
              {group.bindings
                .filter((binding) => binding.help)
                .map((binding) => (
                  <div key={binding.help}>
                    <dt>
                      {(binding.shown ?? binding.keys).map((keys) => (
                        <Keys key={keys} keys={keys} />
                      ))}
                    </dt>
                    <dd>{binding.help}</dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

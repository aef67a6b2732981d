// Forms whose changes wait for their button: as long as one does, not all is saved.
import { computed, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

const forms = signal<readonly string[]>([]);

/** What has changes that were not saved, in the user's words: "landmarks". */
export const unsaved = computed(() => [...new Set(forms.value)]);

export function noteUnsaved(what: string): () => void {
  forms.value = [...forms.value, what];
  return () => {
    const at = forms.peek().indexOf(what);
    forms.value = forms.peek().filter((_, index) => index !== at);
  };
}

/** Says so in the header, and asks before the tab is closed, as long as a form is changed. */
export function useUnsaved(what: string, isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return undefined;
    const forget = noteUnsaved(what);
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => {
      forget();
      window.removeEventListener("beforeunload", warn);
    };
  }, [what, isChanged]);
}

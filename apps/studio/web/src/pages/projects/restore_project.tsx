// A project back from its backup file.
import { useSignal } from "@preact/signals";
import * as api from "../../api";
import { go } from "../../router";
import { Failure, FileButton, useCall } from "../../components/page_parts";

export function RestoreProject() {
  const call = useCall();
  const name = useSignal("");
  const restore = (files: FileList) => {
    const file = files[0] as File;
    name.value = file.name;
    void call.run(async () => {
      const project = await api.restore(file);
      go("images", project.id);
    });
  };
  return (
    <div class="restore">
      <FileButton
        text="Restore from a backup file …"
        accept=".zip"
        disabled={call.busy.value}
        onFiles={restore}
      />
      {call.busy.value && <span role="status">Restoring {name.value} …</span>}
      <Failure text={call.failure.value} />
    </div>
  );
}

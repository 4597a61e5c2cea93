import { type AnswerOf, ApiError, boards } from '@busbar/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../shared/api/client.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { Dialog } from '../../../shared/ui/dialog.tsx'
import { FilePicker } from '../../../shared/ui/file-picker.tsx'
import { Text } from '../../../shared/ui/layout/layout.tsx'
import { showToast } from '../../../shared/ui/toast/toast-store.ts'
import { refusalText } from '../../../shared/ui/use-act.ts'
import { boardsKey } from '../board-queries.ts'
import { useBoardsText } from '../boards-text.ts'
import css from './list.module.css'

interface ImportDialogProps {
  space: PageSpace
  onClose: () => void
  onCreated: (id: number) => void
}

type Imported = AnswerOf<typeof boards.importBoard>

/** Makes a board from a file, and names the parts that are missing here. */
export function ImportDialog({ space, onClose, onCreated }: ImportDialogProps) {
  const t = useBoardsText().list
  const client = useQueryClient()
  const [chosen, choose] = useState<File>()
  const [left, setLeft] = useState<Imported>()
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (file: File) => {
      const read = JSON.parse(await file.text()) as boards.BoardFile
      return { name: read.name, done: await call(boards.importBoard, { ...space.asked, file: read }) }
    },
    onSuccess: ({ name, done }) => {
      void client.invalidateQueries({ queryKey: boardsKey })
      showToast(t.imported(name))
      if (done.unknownMachines.length + done.unknownTags.length > 0) setLeft(done)
      else onCreated(done.id)
    },
  })
  const isBad = error !== null && !(error instanceof ApiError && error.http === 200)
  if (left)
    return (
      <Dialog
        title={t.unknownTitle}
        onClose={() => onCreated(left.id)}
        actions={
          <Button kind="primary" onClick={() => onCreated(left.id)}>
            {t.close}
          </Button>
        }
      >
        <Text as="p" below={10} tone="soft">
          {t.unknownLead}
        </Text>
        {left.unknownMachines.length > 0 && (
          <>
            <p className={css.minor}>{t.unknownMachines}</p>
            <ul className={css.codes}>
              {left.unknownMachines.map((code) => (
                <li key={code}>{code}</li>
              ))}
            </ul>
          </>
        )}
        {left.unknownTags.length > 0 && (
          <>
            <p className={css.minor}>{t.unknownTags}</p>
            <ul className={css.codes}>
              {left.unknownTags.map(({ machineCode, group, tag }) => (
                <li key={`${machineCode} ${group} ${tag}`}>
                  {[machineCode, group, tag].filter(Boolean).join(' / ')}
                </li>
              ))}
            </ul>
          </>
        )}
      </Dialog>
    )
  return (
    <Dialog
      title={t.importFile.replace('…', '')}
      onClose={onClose}
      actions={
        <Button kind="primary" busy={isPending} disabled={!chosen} onClick={() => chosen && mutate(chosen)}>
          {t.importAction}
        </Button>
      }
    >
      <FilePicker
        label={t.file}
        action={t.chooseFile}
        accept=".json,application/json"
        chosen={chosen?.name}
        onChoose={choose}
      />
      {error && (
        <Text as="p" above={8} tone="crit" role="alert">
          {isBad ? t.badFile : refusalText(error, t.badFile)}
        </Text>
      )}
    </Dialog>
  )
}

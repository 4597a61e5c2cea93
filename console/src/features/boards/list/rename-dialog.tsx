import { boards } from '@busbar/contract'
import { call } from '../../../shared/api/client.ts'
import { TextField } from '../../../shared/ui/field.tsx'
import { FormDialog } from '../../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../../shared/ui/form/use-form.ts'
import { type BoardRow, boardsKey } from '../board-queries.ts'
import { useBoardsText } from '../boards-text.ts'

interface RenameDialogProps {
  board: Pick<BoardRow, 'id' | 'name' | 'version'>
  onClose: () => void
}

/** Gives a board another name; its tiles stay as another person may have just saved them. */
export function RenameDialog({ board, onClose }: RenameDialogProps) {
  const t = useBoardsText().list
  const form = useForm<{ readonly name: string }>({
    route: boards.createBoard,
    initial: { name: board.name },
    required: ['name'],
    send: async ({ name }) => {
      const { version } = await call(boards.getBoard, { id: board.id })
      await call(boards.updateBoard, { id: board.id, version, name })
    },
    done: () => t.renamed,
    touched: [boardsKey],
    onSent: onClose,
  })
  return (
    <FormDialog title={t.rename} submit={t.save} form={form} onClose={onClose}>
      <TextField label={t.name} autoFocus {...form.text('name')} />
    </FormDialog>
  )
}

import { boards } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { TextField } from '../../../shared/ui/field.tsx'
import { SelectField } from '../../../shared/ui/fields/choice-fields.tsx'
import { FormDialog } from '../../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../../shared/ui/form/use-form.ts'
import { boardsKey, boardTemplatesQuery, emptyLayout } from '../board-queries.ts'
import { useBoardsText } from '../boards-text.ts'

interface NewDialogProps {
  space: PageSpace
  onClose: () => void
  onCreated: (id: number) => void
}

/** Adds a board: an empty one, or one from a template. */
export function NewDialog({ space, onClose, onCreated }: NewDialogProps) {
  const t = useBoardsText()
  const templates = useQuery(boardTemplatesQuery(space.asked)).data ?? []
  const form = useForm<{ readonly name: string; readonly template: number }, number>({
    route: boards.createBoard,
    initial: { name: '', template: 0 },
    required: ['name'],
    send: async ({ name, template }) => {
      const { id } =
        template === 0
          ? await call(boards.createBoard, { name, ...space.asked, layout: emptyLayout })
          : await call(boards.useBoardTemplate, { id: template, name, ...space.asked })
      return id
    },
    done: (_, { name }) => t.list.created(name),
    touched: [boardsKey],
    onSent: onCreated,
  })
  return (
    <FormDialog title={t.list.add} submit={t.list.addAction} form={form} onClose={onClose}>
      <TextField label={t.list.name} autoFocus {...form.text('name')} />
      {templates.length > 0 && (
        <SelectField
          label={t.list.template}
          options={[
            { value: 0, label: t.edit.variableNone.replace(/（.*|\s\(.*/, '') },
            ...templates.map(({ id, name, machineType }) => ({
              value: id,
              label: `${name} · ${machineType}`,
            })),
          ]}
          {...form.field('template')}
        />
      )}
    </FormDialog>
  )
}

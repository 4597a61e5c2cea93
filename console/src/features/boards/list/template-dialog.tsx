import { boards, listMachineRefs } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useSpaceMachines } from '../../../entities/machine/space-machines.ts'
import { call } from '../../../shared/api/client.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { TextField } from '../../../shared/ui/field.tsx'
import { SelectField } from '../../../shared/ui/fields/choice-fields.tsx'
import { FormDialog } from '../../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../../shared/ui/form/use-form.ts'
import { type BoardRow, boardQuery, boardsKey } from '../board-queries.ts'
import { useBoardsText } from '../boards-text.ts'

interface TemplateDialogProps {
  board: Pick<BoardRow, 'id' | 'name'>
  space: PageSpace
  onClose: () => void
}

type TemplateInput = { readonly name: string; readonly machineId: number }

/** Saves a board as a template, in which a device of a type is replaceable. */
export function TemplateDialog({ board, space, onClose }: TemplateDialogProps) {
  const t = useBoardsText().list
  const layout = useQuery(boardQuery(board.id)).data?.layout
  const machines = useSpaceMachines(space) ?? []
  const named = new Set(layout ? listMachineRefs(layout) : [])
  const choices = machines.filter(({ id }) => named.has(id))
  const isFixed = layout?.variable === null
  const form = useForm<TemplateInput>({
    route: boards.saveBoardTemplate,
    initial: { name: board.name, machineId: 0 },
    required: ['name'],
    check: ({ machineId }) => ({ machineId: isFixed && machineId === 0 ? t.needsMachine : undefined }),
    send: async ({ name, machineId }) => {
      await call(boards.saveBoardTemplate, {
        id: board.id,
        name,
        ...space.asked,
        ...(isFixed ? { machineId } : {}),
      })
    },
    done: (_, { name }) => t.templateSaved(name),
    touched: [[...boardsKey, 'templates']],
    onSent: onClose,
  })
  return (
    <FormDialog title={t.saveTemplate.replace('…', '')} submit={t.save} form={form} onClose={onClose}>
      <TextField label={t.name} autoFocus {...form.text('name')} />
      {isFixed && (
        <SelectField
          label={t.templateMachine}
          hint={t.templateMachineHint}
          options={choices.map(({ id, name }) => ({ value: id, label: name }))}
          {...form.field('machineId')}
        />
      )}
    </FormDialog>
  )
}

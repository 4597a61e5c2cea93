import { annotations } from '@busbar/contract'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import { formatTimeSpan } from '../../shared/i18n/time-span.ts'
import type { TimeRange } from '../../shared/ui/data/time-range.ts'
import { SelectField } from '../../shared/ui/fields/choice-fields.tsx'
import { TextArea } from '../../shared/ui/fields/text-area.tsx'
import { FormDialog } from '../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../shared/ui/form/use-form.ts'
import { type Note, notesKey } from './note-queries.ts'
import css from './notes.module.css'

interface NoteDialogProps {
  /** The devices that are shown. */
  machines: readonly { readonly id: number; readonly name: string }[]
  range: TimeRange
  /** The note that is changed; without it a new one is written. */
  note?: Note | undefined
  onClose: () => void
}

const all = 0

/** Writes a note on the visible span, for all devices shown or for one. */
export function NoteDialog({ machines, range, note, onClose }: NoteDialogProps) {
  const t = useText().history.notes
  const span = note ?? { from: Math.round(range.from), to: Math.round(range.to) }
  const form = useForm<{ readonly text: string; readonly machine: number }, unknown>({
    route: note ? annotations.updateAnnotation : annotations.createAnnotation,
    initial: { text: note?.text ?? '', machine: all },
    required: ['text'],
    send: ({ text, machine }) =>
      note
        ? call(annotations.updateAnnotation, { id: note.id, text })
        : call(annotations.createAnnotation, {
            machineIds: machine === all ? machines.map(({ id }) => id) : [machine],
            from: span.from,
            to: span.to,
            text,
          }),
    done: note ? t.changed : t.added,
    touched: [notesKey],
    onSent: onClose,
  })
  return (
    <FormDialog title={note ? t.edit : t.add} submit={t.save} form={form} onClose={onClose}>
      <p className={css.hint}>
        <b>{formatTimeSpan(span)}</b>
        {!note && <span>{t.addHint}</span>}
      </p>
      <TextArea label={t.text} rows={3} autoFocus {...form.text('text')} />
      {!note && machines.length > 1 && (
        <SelectField
          label={t.devices}
          options={[
            { value: all, label: t.all(machines.length) },
            ...machines.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          {...form.field('machine')}
        />
      )}
    </FormDialog>
  )
}

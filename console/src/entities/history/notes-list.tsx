import { annotations } from '@busbar/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../shared/api/client.ts'
import { formatExact, useText } from '../../shared/i18n/index.ts'
import { formatTimeSpan } from '../../shared/i18n/time-span.ts'
import { Button, IconButton } from '../../shared/ui/button.tsx'
import { classes } from '../../shared/ui/classes.ts'
import type { TimeRange } from '../../shared/ui/data/time-range.ts'
import { ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx'
import { Box, Row } from '../../shared/ui/layout/layout.tsx'
import { Menu, MenuItem } from '../../shared/ui/menu/menu.tsx'
import { noteKey } from './history-marks.ts'
import { NoteDialog } from './note-dialog.tsx'
import { type Note, notesKey } from './note-queries.ts'
import { NoteVersions } from './note-versions.tsx'
import css from './notes.module.css'

interface NotesListProps {
  notes: readonly Note[]
  /** The devices that are shown; with several, each note names its device. */
  machines: readonly { readonly id: number; readonly name: string }[]
  range: TimeRange
  /** The key of the mark that is shown in words. */
  mark: string | undefined
}

/** The notes on the visible span, with their authors, and a form for a new one. */
export function NotesList({ notes, machines, range, mark }: NotesListProps) {
  const t = useText().history.notes
  const [dialog, open] = useState<
    | 'add'
    | { readonly edit: Note }
    | { readonly remove: Note }
    | { readonly hide: Note; readonly machineId: number }
    | { readonly versions: Note }
  >()
  const client = useQueryClient()
  const nameOf = new Map(machines.map(({ id, name }) => [id, name]))
  const close = () => open(undefined)
  return (
    <section className={css.notes} aria-label={t.title}>
      <Row gap={12} justify="between">
        <h2 className={css.heading}>{t.title}</h2>
        <Button size="small" icon="plus" onClick={() => open('add')}>
          {t.add}
        </Button>
      </Row>
      {notes.length > 0 && (
        <ul className={css.list}>
          {notes.map((note) => (
            <li key={note.id} className={classes(css.note, mark === noteKey(note.id) && css.chosen)}>
              <Box shrinks>
                <p className={css.text}>{note.text}</p>
                <p className={css.minor}>
                  {formatTimeSpan(note)}
                  {machines.length > 1 &&
                    ` · ${note.machineIds.map((id) => nameOf.get(id) ?? '').join(', ')}`}
                  {` · ${t.by(note.by, formatExact(note.at))}`}
                </p>
                {note.editedAt !== null && (
                  <Button
                    kind="ghost"
                    size="small"
                    className={css.edited}
                    onClick={() => open({ versions: note })}
                  >
                    {t.edited(formatExact(note.editedAt))}
                  </Button>
                )}
              </Box>
              <Row as="span" align="stretch" fixed>
                {note.mayEdit && (
                  <>
                    <IconButton
                      icon="edit"
                      size="small"
                      label={t.edit}
                      onClick={() => open({ edit: note })}
                    />
                    <IconButton
                      icon="trash"
                      size="small"
                      label={t.remove}
                      onClick={() => open({ remove: note })}
                    />
                  </>
                )}
                {note.mayHide.length > 1 ? (
                  <Menu
                    label={t.hideFrom}
                    trigger={<IconButton icon="eyeOff" size="small" label={t.hideFrom} />}
                  >
                    {note.mayHide.map((machineId) => (
                      <MenuItem key={machineId} onAction={() => open({ hide: note, machineId })}>
                        {nameOf.get(machineId) ?? ''}
                      </MenuItem>
                    ))}
                  </Menu>
                ) : (
                  note.mayHide.map((machineId) => (
                    <IconButton
                      key={machineId}
                      icon="eyeOff"
                      size="small"
                      label={t.hide(nameOf.get(machineId) ?? '')}
                      onClick={() => open({ hide: note, machineId })}
                    />
                  ))
                )}
              </Row>
            </li>
          ))}
        </ul>
      )}
      {dialog === 'add' && <NoteDialog machines={machines} range={range} onClose={close} />}
      {typeof dialog === 'object' && 'edit' in dialog && (
        <NoteDialog machines={machines} range={range} note={dialog.edit} onClose={close} />
      )}
      {typeof dialog === 'object' && 'remove' in dialog && (
        <ConfirmDialog
          confirmation={{
            title: t.removeAsk,
            body: dialog.remove.text,
            action: t.remove,
            done: t.removed,
            call: () => call(annotations.deleteAnnotation, { id: dialog.remove.id }, { noNotice: true }),
          }}
          onClose={close}
          onSettled={() => client.invalidateQueries({ queryKey: notesKey })}
        />
      )}
      {typeof dialog === 'object' && 'hide' in dialog && (
        <ConfirmDialog
          confirmation={{
            title: t.hideAsk(nameOf.get(dialog.machineId) ?? ''),
            body: t.hideBody,
            action: t.hideAct,
            done: t.hidden,
            call: () =>
              call(
                annotations.hideAnnotation,
                { id: dialog.hide.id, machineId: dialog.machineId },
                { noNotice: true },
              ),
          }}
          onClose={close}
          onSettled={() => client.invalidateQueries({ queryKey: notesKey })}
        />
      )}
      {typeof dialog === 'object' && 'versions' in dialog && (
        <NoteVersions id={dialog.versions.id} onClose={close} />
      )}
    </section>
  )
}

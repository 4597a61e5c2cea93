import { alarmLimits, alarms } from '@busbar/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import { BulkDialog } from '../../shared/ui/dialogs/bulk-dialog.tsx'
import { TextArea } from '../../shared/ui/fields/text-area.tsx'
import { Stack, Text } from '../../shared/ui/layout/layout.tsx'
import type { TableView } from '../../shared/ui/table/use-table-view.ts'
import { nameOfAlarm } from './alarm.ts'
import css from './alarm-acts.module.css'
import { type ActedAlarm, refusedOf, touchedByAlarms } from './alarm-acts.ts'

interface ConfirmAlarmsDialogProps {
  rows: readonly ActedAlarm[]
  view: Pick<TableView, 'select'> | undefined
  onClose: () => void
}

const isTouch = matchMedia('(pointer: coarse)').matches
const nothingSelected = { select: () => undefined }

/** Acknowledges alarms with a note. Each that is refused is named with the reason and stays selected. */
export function ConfirmAlarmsDialog({ rows, view = nothingSelected, onClose }: ConfirmAlarmsDialogProps) {
  const t = useText().alarms.acts
  const client = useQueryClient()
  const [note, setNote] = useState('')
  const [first] = rows
  // An alarm stands for its repeats: acknowledged alone, it would leave its place in lists to the one before.
  const askedFor = (ids: number[]) => ({ ids, repeats: true, ...(note.trim() ? { note: note.trim() } : {}) })
  return (
    <BulkDialog
      view={view}
      onClose={onClose}
      onSettled={() => Promise.all(touchedByAlarms.map((queryKey) => client.invalidateQueries({ queryKey })))}
      bulk={{
        title: t.confirmTitle(rows.length),
        action: t.confirm,
        done: t.confirmDone(rows.length),
        failed: t.confirmFailed,
        rows,
        keyOf: ({ alarmId }) => alarmId,
        nameOf: nameOfAlarm,
        run: ({ alarmId }) => call(alarms.confirmAlarms, askedFor([alarmId]), { noNotice: true }),
        rowsPerCall: alarmLimits.alarmsPerCall,
        runMany: async (many) =>
          refusedOf(
            many,
            (
              await call(alarms.confirmManyAlarms, askedFor(many.map(({ alarmId }) => alarmId)), {
                noNotice: true,
              })
            ).list,
          ),
        body: (
          <Stack gap={14} className={css.body}>
            {rows.length === 1 && first && (
              <Text as="p" tone="text" weight={600} breaks>
                {nameOfAlarm(first)}
              </Text>
            )}
            <TextArea
              label={t.note}
              value={note}
              onChange={setNote}
              maxLength={alarmLimits.alarmNoteMax}
              rows={3}
              // On a touch screen, the keyboard would cover the button.
              data-autofocus={isTouch ? undefined : true}
              hint={
                <Text as="p" tone="quiet" size="12/18">
                  {t.noteHint}
                </Text>
              }
            />
          </Stack>
        ),
      }}
    />
  )
}

import { alarmLimits, alarms } from '@busbar/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../shared/api/client.ts'
import { formatMinute, useText } from '../../shared/i18n/index.ts'
import { BulkDialog } from '../../shared/ui/dialogs/bulk-dialog.tsx'
import form from '../../shared/ui/dialogs/form.module.css'
import { TextField } from '../../shared/ui/field.tsx'
import { SelectField } from '../../shared/ui/fields/choice-fields.tsx'
import { Stack, Text } from '../../shared/ui/layout/layout.tsx'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import type { TableView } from '../../shared/ui/table/use-table-view.ts'
import { ToggleGroup } from '../../shared/ui/toggle-group/toggle-group.tsx'
import { useNow } from '../../shared/ui/use-now.ts'
import { endOfShelve, nameOfAlarm, type ShelveSpan, shelveSpansMs } from './alarm.ts'
import css from './alarm-acts.module.css'
import { type ActedAlarm, refusedOf, touchedByAlarms } from './alarm-acts.ts'

/** Contains the calendar, which is loaded only for a custom end. */
const DatePicker = lazyPart(() =>
  import('../../shared/ui/date/date-picker.tsx').then((module) => module.DatePicker),
)

interface QuietDialogProps {
  kind: 'shelve' | 'outOfService'
  rows: readonly ActedAlarm[]
  view: Pick<TableView, 'select'> | undefined
  onClose: () => void
}

const nothingSelected = { select: () => undefined }
const spans = [...Object.keys(shelveSpansMs), 'other'] as ShelveSpan[]
const tickMs = 15_000

/** The fields of a call that determine its scope. */
const coveredBy: Readonly<Record<alarms.ShelveScope, (row: ActedAlarm) => object>> = {
  alarm: ({ alarmId }) => ({ alarmId }),
  rule: ({ ruleId }) => ({ ruleId }),
  tag: ({ tagId }) => ({ tagId }),
  machine: () => ({}),
}

/** Shelves alarms until an instant, or takes them out of service; with a reason that everyone sees. */
export function QuietDialog({ kind, rows, view = nothingSelected, onClose }: QuietDialogProps) {
  const t = useText().alarms.acts
  const client = useQueryClient()
  const now = useNow(tickMs)
  const [reason, setReason] = useState('')
  const [choice, setChoice] = useState<{ span: ShelveSpan; at: number | null }>({ span: 'shift', at: null })
  const [scope, setScope] = useState<alarms.ShelveScope>('alarm')
  const [first] = rows
  const isShelve = kind === 'shelve'
  const until = endOfShelve(choice, now, alarmLimits.shelveDaysMax)
  const isReady = reason.trim() !== '' && (!isShelve || until !== undefined)
  const scopes = (['alarm', 'rule', 'tag', 'machine'] as const).filter(
    (each) =>
      each === 'alarm' ||
      (rows.length === 1 && (each === 'machine' || (each === 'rule' ? first?.ruleId : first?.tagId) != null)),
  )

  function run(row: ActedAlarm) {
    const asked = { machineId: row.machineId, ...coveredBy[scope](row), reason: reason.trim() }
    if (!isShelve) return call(alarms.takeAlarmsOutOfService, asked, { noNotice: true })
    const end = endOfShelve(choice, Date.now(), alarmLimits.shelveDaysMax)
    return call(alarms.shelveAlarms, { ...asked, until: end ?? 0 }, { noNotice: true })
  }

  async function runMany(many: readonly ActedAlarm[]) {
    const end = endOfShelve(choice, Date.now(), alarmLimits.shelveDaysMax)
    const asked = {
      ids: many.map(({ alarmId }) => alarmId),
      reason: reason.trim(),
      ...(isShelve ? { until: end ?? 0 } : {}),
    }
    return refusedOf(many, (await call(alarms.shelveManyAlarms, asked, { noNotice: true })).list)
  }

  return (
    <BulkDialog
      view={view}
      onClose={onClose}
      onSettled={() => Promise.all(touchedByAlarms.map((queryKey) => client.invalidateQueries({ queryKey })))}
      bulk={{
        title: isShelve ? t.shelveTitle(rows.length) : t.outTitle(rows.length),
        action: isShelve ? t.shelve : t.outOfService,
        done: isShelve ? t.shelveDone(rows.length) : t.outDone(rows.length),
        isReady,
        rows,
        keyOf: ({ alarmId }) => alarmId,
        nameOf: nameOfAlarm,
        run,
        rowsPerCall: alarmLimits.alarmShelvesPerCall,
        runMany,
        body: (
          <Stack gap={14} className={css.body}>
            {rows.length === 1 && first && (
              <Text as="p" tone="text" weight={600} breaks>
                {nameOfAlarm(first)}
              </Text>
            )}
            <p>{isShelve ? t.shelveBody : t.outBody}</p>
            {isShelve && (
              <Stack gap={6} align="start" shrinks className={form.field}>
                <span className={form.label}>{t.until}</span>
                <ToggleGroup
                  label={t.until}
                  className={css.spans}
                  value={choice.span}
                  onChange={(span) => setChoice({ ...choice, span })}
                  options={spans.map((value) => ({ value, label: t.spans[value] }))}
                />
                {choice.span === 'other' && (
                  <DatePicker
                    label={t.untilOther}
                    size="large"
                    value={choice.at}
                    min={now}
                    onChange={(at) => setChoice({ span: 'other', at })}
                  />
                )}
                {until !== undefined ? (
                  <Text as="p" tone="quiet" size="12/18">
                    {t.endsAt(formatMinute(until))}
                  </Text>
                ) : (
                  choice.at !== null && (
                    <Text as="p" tone="crit" size="12/16" role="alert">
                      {t.untilWrong(alarmLimits.shelveDaysMax)}
                    </Text>
                  )
                )}
              </Stack>
            )}
            {scopes.length > 1 && (
              <SelectField
                label={t.scope}
                value={scope}
                options={scopes.map((value) => ({ value, label: t.scopes[value] }))}
                onChange={setScope}
              />
            )}
            <TextField
              label={t.reason}
              value={reason}
              onChange={setReason}
              maxLength={alarmLimits.alarmReasonMax}
              autoFocus
            />
          </Stack>
        ),
      }}
    />
  )
}

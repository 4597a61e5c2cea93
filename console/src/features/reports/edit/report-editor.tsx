import { boards, reportLimits, reports } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { VariablesField } from '../../../entities/history/variables-field.tsx'
import { useSpaceMachines } from '../../../entities/machine/space-machines.ts'
import { call } from '../../../shared/api/client.ts'
import { browserZone, formatMinute, useText, useZone } from '../../../shared/i18n/index.ts'
import { personQuery } from '../../../shared/session/account-queries.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { TextField } from '../../../shared/ui/field.tsx'
import { SelectField } from '../../../shared/ui/fields/choice-fields.tsx'
import { ChoicesField } from '../../../shared/ui/fields/choices-field.tsx'
import { SettingPanel, SettingRow } from '../../../shared/ui/fields/setting-row.tsx'
import { FormRefusal } from '../../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../../shared/ui/form/use-form.ts'
import { Row } from '../../../shared/ui/layout/layout.tsx'
import { Switch } from '../../../shared/ui/switch.tsx'
import { ZonePicker } from '../../../shared/ui/zone-picker.tsx'
import { type Report, recipientsQuery, reportsKey } from '../report-queries.ts'
import css from '../reports.module.css'
import { useReportsText } from '../reports-text.ts'
import { sayRepeats } from '../schedule-words.ts'
import { useReportsSearch } from '../use-reports-search.ts'
import { ReportPreview } from './report-preview.tsx'
import { ReportRuns } from './report-runs.tsx'

interface ReportEditorProps {
  space: PageSpace
  /** Undefined: a new one. */
  report?: Report
  /** Its variables, or those that a new one begins with. */
  tags?: readonly boards.BoardTagFound[]
}

interface Values {
  readonly name: string
  readonly every: reports.ReportSchedule['every']
  readonly weekday: number
  readonly monthDay: number
  readonly hour: number
  readonly timeZone: string
  readonly machineIds: readonly number[]
  readonly tagIds: readonly number[]
  readonly parts: readonly reports.ReportPart[]
  readonly formats: readonly reports.ReportFormat[]
  readonly userIds: readonly number[]
  readonly contactIds: readonly number[]
  readonly enabled: boolean
  readonly [field: string]: unknown
}

function valuesOf(
  report: Report | undefined,
  tags: readonly boards.BoardTagFound[],
  ownId: number | undefined,
): Values {
  const { schedule, content, recipients } = report ?? {}
  return {
    name: report?.name ?? '',
    every: schedule?.every ?? 'day',
    weekday: schedule?.weekday ?? 1,
    monthDay: schedule?.monthDay ?? 1,
    hour: schedule?.hour ?? 7,
    timeZone: schedule?.timeZone ?? browserZone,
    machineIds: content?.machineIds ?? [...new Set(tags.map(({ machineId }) => machineId))],
    tagIds: tags.map(({ tagId }) => tagId),
    parts: content?.parts ?? [...reports.reportParts],
    formats: report?.formats ?? ['pdf'],
    userIds: recipients?.userIds ?? (ownId === undefined ? [] : [ownId]),
    contactIds: recipients?.contactIds ?? [],
    enabled: report?.enabled ?? true,
  }
}

/** The names by which devices know variables: reports keep these, because an id changes with the type of a variable. */
async function readTagNames(tagIds: readonly number[]): Promise<reports.ReportTagRef[]> {
  if (tagIds.length === 0) return []
  const { tags } = await call(boards.lookUpBoardTags, { tags: [], tagIds: [...tagIds] })
  return tags.map(({ machineId, wireGroup, tag }) => ({ machineId, group: wireGroup, tag }))
}

/** The values of the form in the shape of the calls. Variables of a removed device are removed, too. */
async function wishOf(values: Values) {
  const { name, every, weekday, monthDay, hour, timeZone, machineIds, parts, tagIds } = values
  const tags = await readTagNames(tagIds)
  return {
    name,
    schedule: { every, weekday, monthDay, hour, timeZone },
    content: {
      machineIds: [...machineIds],
      tags: tags.filter(({ machineId }) => machineIds.includes(machineId)),
      parts: [...parts],
    },
  }
}

/** The settings of a report, its pages before they are saved, and its runs. */
export function ReportEditor({ space, report, tags = [] }: ReportEditorProps) {
  const t = useReportsText()
  const zone = useZone()
  const text = useText()
  const [, open] = useReportsSearch()
  const mayEdit = report?.mayEdit ?? true
  const machines = useSpaceMachines(space) ?? []
  const ownId = useQuery(personQuery).data?.userid
  const [preview, setPreview] = useState<Awaited<ReturnType<typeof wishOf>>>()
  const side = useRef<HTMLElement>(null)
  useEffect(() => {
    const { current } = side
    // On a phone the pages are under the form.
    if (preview && current && current.getBoundingClientRect().top > innerHeight / 2) current.scrollIntoView()
  }, [preview])
  const form = useForm<Values, number>({
    initial: valuesOf(report, tags, ownId),
    check: ({ name, machineIds, tagIds, parts, formats }) => {
      const needsTags = parts.includes('statistics') || parts.includes('trends')
      return {
        name: name.trim() === '' ? t.edit.noName : undefined,
        machineIds: machineIds.length === 0 ? t.edit.noMachines : undefined,
        tagIds: needsTags && tagIds.length === 0 ? t.edit.noTags : undefined,
        parts: parts.length === 0 ? t.edit.noParts : undefined,
        formats: formats.length === 0 ? t.edit.noFormats : undefined,
      }
    },
    send: async (values) => {
      const { formats, userIds, contactIds, enabled } = values
      const wish = {
        ...(await wishOf(values)),
        ...{ formats: [...formats], enabled },
        recipients: { userIds: [...userIds], contactIds: [...contactIds] },
      }
      if (report) {
        await call(reports.updateReport, { id: report.id, ...wish })
        return report.id
      }
      return (await call(reports.createReport, { ...space.asked, ...wish })).id
    },
    done: (_, { name }) => t.edit.saved(name),
    touched: [reportsKey],
    onSent: (id) => open({ report: id }),
  })
  const { values } = form
  const choices = useQuery({
    ...recipientsQuery(space.asked, values.machineIds),
    enabled: mayEdit && values.machineIds.length > 0,
  }).data
  const hours = Array.from({ length: 24 }, (_, hour) => ({
    value: hour,
    label: `${String(hour).padStart(2, '0')}:00`,
  }))
  const { userIds, contactIds } = values
  const missing = Object.values(form.problems).join(text.history.listComma)
  const isForNobody =
    contactIds.length === 0 &&
    (choices
      ? !choices.people.some(({ userId, hasEmail }) => hasEmail && userIds.includes(userId))
      : userIds.length === 0)

  const isShown = values.machineIds.length > 0 && values.name.trim() !== ''
  return (
    <div className={css.editor}>
      <Row gap="8 12" wraps>
        <Button icon="chevronLeft" kind="ghost" onClick={() => open({})}>
          {t.edit.back}
        </Button>
        <h2 className={css.title}>{report?.name ?? t.edit.add}</h2>
        {report && <p className={css.minor}>{nextText(report)}</p>}
      </Row>
      {report && report.hiddenMachines > 0 && (
        <p className={css.note}>{t.edit.hidden(report.hiddenMachines)}</p>
      )}
      <div className={css.columns}>
        {mayEdit ? (
          <form {...form.props} className={css.form} aria-label={t.edit.form}>
            <TextField
              label={t.edit.name}
              autoFocus={!report}
              maxLength={reportLimits.reportNameMax * 2}
              {...form.text('name')}
            />
            <div className={css.row}>
              <SelectField
                label={t.edit.every}
                options={(['day', 'week', 'month'] as const).map((value) => ({
                  value,
                  label: t.schedule.every[value],
                }))}
                {...form.field('every')}
              />
              {values.every === 'week' && (
                <SelectField
                  label={t.edit.weekday}
                  options={t.schedule.weekdays.map((label, place) => ({ value: place + 1, label }))}
                  {...form.field('weekday')}
                />
              )}
              {values.every === 'month' && (
                <SelectField
                  label={t.edit.monthDay}
                  options={[
                    ...Array.from({ length: 28 }, (_, place) => ({
                      value: place + 1,
                      label: t.schedule.dayOf(place + 1),
                    })),
                    { value: 0, label: t.schedule.dayOf(0) },
                  ]}
                  {...form.field('monthDay')}
                />
              )}
              <SelectField label={t.edit.hour} options={hours} {...form.field('hour')} />
            </div>
            <SettingPanel title={t.edit.more}>
              <SettingRow name={t.edit.zone} hint={t.edit.zoneHint}>
                <ZonePicker
                  label={t.edit.zone}
                  value={values.timeZone}
                  onChange={(zone) => form.set('timeZone', zone)}
                />
              </SettingRow>
              <SettingRow name={t.edit.enabled} hint={t.edit.enabledHint}>
                <Switch
                  label={t.edit.enabled}
                  checked={values.enabled}
                  onChange={(enabled) => form.set('enabled', enabled)}
                />
              </SettingRow>
            </SettingPanel>
            <ChoicesField
              label={t.edit.machines}
              options={machines.map(({ id, name, code }) => ({ value: id, label: name, hint: code }))}
              searchLabel={t.edit.machinesSearch}
              {...form.field('machineIds')}
            />
            <ChoicesField
              label={t.edit.parts}
              options={reports.reportParts.map((value) => ({ value, label: t.parts[value] }))}
              {...form.field('parts')}
            />
            {(values.parts.includes('statistics') || values.parts.includes('trends')) &&
              values.machineIds.length > 0 && (
                <VariablesField
                  label={t.edit.tags}
                  machines={machines.filter(({ id }) => values.machineIds.includes(id))}
                  max={reportLimits.tagsPerReport}
                  counts={({ machineId }) => values.machineIds.includes(machineId)}
                  {...form.field('tagIds')}
                />
              )}
            <ChoicesField
              label={t.edit.formats}
              options={reports.reportFormats.map((value) => ({ value, label: t.formats[value] }))}
              {...form.field('formats')}
            />
            <ChoicesField
              label={t.edit.people}
              options={(choices?.people ?? []).map(({ userId, name, hasEmail, state }) => ({
                value: userId,
                label: name,
                hint: hasEmail ? stateText(userId, state) : t.edit.noEmail,
              }))}
              hint={t.edit.peopleHint}
              noneText={t.edit.noPeople}
              {...form.field('userIds')}
            />
            {(choices?.contacts.length ?? 0) > 0 && (
              <ChoicesField
                label={t.edit.contacts}
                options={(choices?.contacts ?? []).map(({ id, name, email }) => ({
                  value: id,
                  label: name,
                  hint: email,
                }))}
                hint={t.edit.contactsHint}
                {...form.field('contactIds')}
              />
            )}
            <FormRefusal text={form.general} />
          </form>
        ) : (
          <p className={css.note}>{t.edit.readOnly}</p>
        )}
        <section
          ref={side}
          className={css.side}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls is reached by the keyboard
          tabIndex={0}
          aria-label={t.edit.side}
        >
          {mayEdit && <ReportPreview space={space} wish={preview} />}
          {report && <ReportRuns report={report} />}
        </section>
      </div>
      {mayEdit && (
        <Row gap={8} className={css.actions}>
          <p className={missing ? css.wrong : css.minor} role="status">
            {missing || (isForNobody && t.edit.nobody)}
          </p>
          <Button icon="eye" disabled={!isShown} onClick={() => void wishOf(values).then(setPreview)}>
            {t.preview.show}
          </Button>
          <Button type="submit" form={form.props.id} kind="primary" busy={form.isSending}>
            {t.edit.save}
          </Button>
        </Row>
      )}
    </div>
  )

  /** Whether a person agreed; undefined for one who isn’t asked: not selected, or the caller. */
  function stateText(userId: number, state: reports.RecipientState): string | undefined {
    const isAsked = userId !== ownId && (state !== 'none' || values.userIds.includes(userId))
    return isAsked || state === 'confirmed' ? t.edit.states[state] : undefined
  }

  function nextText(report: Report): string {
    const { nextAt } = report
    const words = sayRepeats(t.schedule, report, zone)
    return nextAt === null ? `${words} · ${t.list.paused}` : `${words} · ${t.edit.next(formatMinute(nextAt))}`
  }
}

import {
  ApiError,
  type CsvWish,
  exports as contract,
  csvDecimals,
  csvDelimiters,
  type ExportAggregate,
  type ExportFormat,
  type ExportInterval,
  type ExportLayout,
  exportAggregates,
  exportFormats,
  exportIntervals,
  exportLayouts,
  exportLimits,
} from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { VariablesField } from '../../entities/history/variables-field.tsx'
import { useSpaceMachines } from '../../entities/machine/space-machines.ts'
import { call } from '../../shared/api/client.ts'
import { refusalWords } from '../../shared/api/refusal-words.ts'
import { formatBytes, formatNumber, useLang, useText, useZone } from '../../shared/i18n/index.ts'
import type { PageSpace } from '../../shared/session/page-space.ts'
import { updatePreferences, usePreferences } from '../../shared/session/preferences.ts'
import { Button } from '../../shared/ui/button.tsx'
import { DateRangePicker } from '../../shared/ui/date/date-range-picker.tsx'
import { listPresets, type TimeSpan } from '../../shared/ui/date/presets.ts'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { SelectField } from '../../shared/ui/fields/choice-fields.tsx'
import { Grid, Text } from '../../shared/ui/layout/layout.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { useAct } from '../../shared/ui/use-act.ts'
import { ZonePicker } from '../../shared/ui/zone-picker.tsx'
import { type ExportWish, exportsKey, previewQuery } from './export-queries.ts'
import css from './exports.module.css'
import { useExportsText } from './exports-text.ts'

interface ExportDialogProps {
  space: PageSpace
  first: { readonly tagIds: readonly number[]; readonly span?: TimeSpan; readonly zone?: string }
  onClose: () => void
}

const dayMs = 86_400_000
const minuteMs = 60_000
const allSamples = 'all'

/** The form of an export: variables, time and form, with the first rows of the file. */
export function ExportDialog({ space, first, onClose }: ExportDialogProps) {
  const t = useExportsText().form
  const text = useText()
  const pageZone = useZone()
  const [tagIds, chooseTags] = useState(first.tagIds)
  const [span, setSpan] = useState<TimeSpan>(() => {
    const now = Math.floor(Date.now() / minuteMs) * minuteMs
    return first.span ?? { from: now - dayMs, to: now }
  })
  const [format, setFormat] = useState<ExportFormat>('xlsx')
  const [layout, setLayout] = useState<ExportLayout>('wide')
  const [zone, setZone] = useState(first.zone ?? pageZone)
  const [interval, setInterval] = useState<ExportInterval | typeof allSamples>(allSamples)
  const [agg, setAgg] = useState<ExportAggregate>('avg')
  const { delimiter = 'comma', decimal = 'point' } = usePreferences().csv ?? {}
  const setForm = (csv: CsvWish) => updatePreferences({ csv })
  const wish: ExportWish = {
    tagIds: [...tagIds],
    from: span.from,
    to: span.to,
    format,
    layout: format === 'csv' && layout === 'sheetPerMachine' ? 'wide' : layout,
    timezone: zone,
    ...(interval === allSamples ? {} : { interval, agg }),
    ...(format === 'csv' ? { delimiter, decimal } : {}),
  }
  const send = useAct({
    call: () => call(contract.createExport, wish),
    done: t.submitted,
    touched: [exportsKey],
    onDone: onClose,
  })
  const layouts = exportLayouts.filter((each) => format === 'xlsx' || each !== 'sheetPerMachine')
  return (
    <Dialog
      title={useExportsText().add}
      onClose={onClose}
      width={860}
      actions={
        <>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button
            kind="primary"
            icon="download"
            busy={send.isPending}
            disabled={tagIds.length === 0}
            onClick={() => send.mutate()}
          >
            {t.submit(tagIds.length)}
          </Button>
        </>
      }
    >
      <Grid gap={16} shrinks>
        <VariablesField
          label={t.variables}
          machines={useSpaceMachines(space)}
          value={tagIds}
          max={exportLimits.exportTagsMax}
          onChange={chooseTags}
        />
        <div className={css.fields}>
          <DateRangePicker
            label={t.span}
            size="large"
            className={css.whole}
            value={span}
            onChange={setSpan}
            presets={listPresets(text.kit, [
              'lastHour',
              'last24Hours',
              'yesterday',
              'last7Days',
              'last30Days',
            ])}
          />
          <SelectField
            label={t.format}
            value={format}
            options={exportFormats.map((value) => ({ value, label: t.formats[value] }))}
            onChange={setFormat}
          />
          {format === 'csv' && (
            <>
              <SelectField
                label={t.delimiter}
                value={delimiter}
                options={csvDelimiters.map((value) => ({ value, label: t.delimiters[value] }))}
                onChange={(value) =>
                  // As spreadsheets of a country expect both together.
                  setForm({ delimiter: value, decimal: value === 'semicolon' ? 'comma' : 'point' })
                }
              />
              <SelectField
                label={t.decimal}
                value={decimal}
                options={csvDecimals.map((value) => ({ value, label: t.decimals[value] }))}
                onChange={(value) => setForm({ delimiter, decimal: value })}
              />
            </>
          )}
          <SelectField
            label={t.layout}
            value={wish.layout}
            options={layouts.map((value) => ({ value, label: t.layouts[value] }))}
            onChange={setLayout}
          />
          <SelectField
            label={t.interval}
            value={interval}
            options={[
              { value: allSamples, label: t.allSamples },
              ...exportIntervals.map((value) => ({ value, label: t.intervals[value] })),
            ]}
            onChange={setInterval}
          />
          {interval !== allSamples && (
            <SelectField
              label={t.agg}
              value={agg}
              options={exportAggregates.map((value) => ({ value, label: t.aggs[value] }))}
              onChange={setAgg}
            />
          )}
          <Grid gap={6}>
            <Text tone="soft" size={13} leading={18}>
              {t.zone}
            </Text>
            <ZonePicker label={t.zone} value={zone} onChange={setZone} />
          </Grid>
        </div>
        {tagIds.length > 0 && <Preview wish={wish} />}
        <details className={css.notes}>
          <summary>{t.notes}</summary>
          <ul>
            {t.noteList.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </details>
      </Grid>
    </Dialog>
  )
}

/** The first rows of the file, and how large it would be. */
function Preview({ wish }: { wish: ExportWish }) {
  const t = useExportsText().form
  const lang = useLang()
  const settled = useDeferredValue(wish)
  const { data, error, isFetching } = useQuery(previewQuery(settled, lang))
  const refusal =
    error instanceof ApiError
      ? (refusalWords(error, lang) ?? error.message)
      : error
        ? String(error)
        : undefined
  return (
    <Grid as="section" gap={8} shrinks aria-label={t.preview} aria-busy={isFetching}>
      <div className={css.previewHead}>
        <h3>{t.preview}</h3>
        {data && !refusal && (
          <p>
            {t.estimate(formatNumber(data.rows), formatBytes(data.bytes))}
            {data.sheets > 1 && ` · ${t.sheets(data.sheets)}`}
          </p>
        )}
      </div>
      {refusal ? (
        <Text as="p" tone="crit" role="alert">
          {refusal}
        </Text>
      ) : !data ? (
        <Skeleton height={120} />
      ) : data.head.length === 0 ? (
        <Text as="p" tone="quiet">
          {t.previewEmpty}
        </Text>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls is reached by the keyboard
        <section className={css.sheet} tabIndex={0} aria-label={t.columnsAndRows}>
          <table>
            <thead>
              <tr>
                {data.columns.map((column, place) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one name
                  <th key={place} scope="col">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {data.head.map((cells, row) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows lack other names
                <tr key={row}>
                  {cells.map((cell, place) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: as the columns
                    <td key={place}>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Grid>
  )
}

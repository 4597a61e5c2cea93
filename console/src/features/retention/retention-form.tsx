import { ApiError, retention, timing } from '@busbar/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../shared/api/client.ts'
import { formatMinute, formatNumber, useText } from '../../shared/i18n/index.ts'
import type { PageSpace } from '../../shared/session/page-space.ts'
import { Button } from '../../shared/ui/button.tsx'
import { ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx'
import { FormRefusal } from '../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../shared/ui/form/use-form.ts'
import { Note, Text } from '../../shared/ui/layout/layout.tsx'
import { NumberField } from '../../shared/ui/number-field/number-field.tsx'
import { createAxis, daysMax, daysMin, type KeptKind, keptKinds, mapKinds, spanOfTick } from './kept-days.ts'
import { KeptLane } from './kept-lane.tsx'
import css from './retention.module.css'
import { type Retention, retentionKey } from './retention-queries.ts'
import { useRetentionText } from './retention-text.ts'

type Values = Record<KeptKind, string>

/** Shown by the dialog, not under the form. */
const askedInDialog = ''

interface RetentionFormProps {
  asked: PageSpace['asked']
  kept: Retention
  maySet: boolean
}

/** The time line of each kind of stored values, and the days that it stands for. */
export function RetentionForm({ asked, kept, maySet }: RetentionFormProps) {
  const { form: words } = useText()
  const t = useRetentionText()
  const client = useQueryClient()
  /** A shortening that the platform requires to be confirmed. */
  const [asking, setAsking] = useState<{ wish: Values; at: number }>()
  const wanted = kept.next ?? kept
  const problemOf = (kind: KeptKind, values: Values): string | undefined => {
    const days = Number(values[kind])
    if (values[kind] === '') return words.required
    if (days < daysMin) return words.numberMin(formatNumber(daysMin))
    if (days > daysMax[kind]) return words.numberMax(formatNumber(daysMax[kind]))
    const finer = keptKinds[keptKinds.indexOf(kind) - 1]
    if (finer === undefined || days >= Number(values[finer])) return undefined
    return t.order(t.kinds[finer].name, formatNumber(Number(values[finer])))
  }
  const save = (values: Values, confirm: boolean) =>
    call(retention.setRetention, {
      ...asked,
      ...mapKinds((kind) => Number(values[kind])),
      ...(confirm && { confirm }),
    })
  const form = useForm<Values>({
    initial: mapKinds((kind) => String(wanted[kind])),
    follows: true,
    check: (values) => mapKinds((kind) => problemOf(kind, values)),
    send: (values) => save(values, false),
    errorFields: { RETENTION_TOO_LONG: 'rawDays', RETENTION_ORDER: 'minuteDays' },
    explain: (error) => (error.is('RETENTION_CONFIRM') ? askedInDialog : undefined),
    // The platform knows whether it is a shortening, even if another person changed it in the meantime.
    onRefused: (error) => {
      if (error instanceof ApiError && error.is('RETENTION_CONFIRM'))
        setAsking({ wish: form.values, at: Date.now() + timing.retentionDelayMs })
    },
    done: t.saved,
    touched: [retentionKey],
  })
  const { values } = form
  const thenOf = (kind: KeptKind) =>
    problemOf(kind, values) === undefined ? Number(values[kind]) : kept[kind]
  const axis = createAxis(Math.max(kept.hourDays, thenOf('hourDays')))
  const isDeleting = keptKinds.some((kind) => thenOf(kind) < kept[kind])
  const isLonger = keptKinds.some((kind) => thenOf(kind) > kept[kind])

  return (
    <form {...form.props} className={css.panel} aria-label={t.title}>
      <div className={css.axis} aria-hidden="true">
        <span className={css.first}>{t.axis.now}</span>
        {axis.ticks.map(({ days, place }, index) => {
          const span = spanOfTick(days)
          return (
            <span
              key={days}
              className={index === axis.ticks.length - 1 ? css.last : css.tick}
              data-minor={days === 90 || undefined}
              style={{ left: `${place}%` }}
            >
              {'months' in span ? t.axis.months(span.months) : t.axis.years(span.years)}
            </span>
          )
        })}
      </div>
      {keptKinds.map((kind) => {
        const { name, hint } = t.kinds[kind]
        const [now, then] = [formatNumber(kept[kind]), formatNumber(thenOf(kind))]
        const { value, error, onChange } = form.field(kind)
        return (
          <div key={kind} className={css.row}>
            <div className={css.words}>
              <Text as="p" weight={600}>
                {name}
              </Text>
              <Note leading={18}>{hint}</Note>
            </div>
            <KeptLane
              {...{ axis, kind }}
              label={now === then ? t.kept(name, now) : t.keptThen({ name, now, then })}
              now={kept[kind]}
              then={thenOf(kind)}
            />
            <div className={css.field} data-field={kind}>
              {maySet ? (
                <NumberField
                  label={name}
                  isLabelHidden
                  decimals={0}
                  min={daysMin}
                  max={daysMax[kind]}
                  unit={t.unit}
                  {...{ value, error, onChange }}
                />
              ) : (
                <p className={css.days}>{t.days(now)}</p>
              )}
            </div>
          </div>
        )
      })}
      <div className={css.foot}>
        <div className={css.legend}>
          {isDeleting && (
            <span className={css.mark}>
              <span className={css.deleted} />
              {t.marks.deleted}
            </span>
          )}
          {isLonger && (
            <span className={css.mark}>
              <span className={css.longer} />
              {t.marks.longer}
            </span>
          )}
        </div>
        <FormRefusal text={form.general || undefined} />
        {maySet && (
          <div className={css.actions}>
            {form.isDirty && (
              <Button
                kind="ghost"
                disabled={form.isSending}
                onClick={() => {
                  for (const kind of keptKinds) form.set(kind, String(wanted[kind]))
                }}
              >
                {t.revert}
              </Button>
            )}
            <Button type="submit" kind="primary" disabled={!form.isDirty} busy={form.isSending}>
              {t.save}
            </Button>
          </div>
        )}
      </div>
      {asking && (
        <ConfirmDialog
          confirmation={{
            title: t.confirm.title,
            body: t.confirm.body(losses(asking.wish), formatMinute(asking.at)),
            action: t.confirm.action,
            done: t.confirm.done(formatMinute(asking.at)),
            call: () => save(asking.wish, true),
          }}
          onClose={() => setAsking(undefined)}
          onSettled={() => client.invalidateQueries({ queryKey: retentionKey })}
        />
      )}
    </form>
  )

  /** The number of days of each kind that a wish deletes. */
  function losses(wish: Values): string {
    return keptKinds
      .filter((kind) => Number(wish[kind]) < kept[kind])
      .map((kind) =>
        t.confirm.deletes({
          name: t.kinds[kind].name,
          count: formatNumber(kept[kind] - Number(wish[kind])),
          days: formatNumber(Number(wish[kind])),
        }),
      )
      .join(t.confirm.join)
  }
}

import { ApiError, machines } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { roleQuery } from '../../entities/access/access-queries.ts'
import { visitReportQuery } from '../../entities/visit/visit-queries.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { DateRangePicker } from '../../shared/ui/date/date-range-picker.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import { LanguageButton, ThemeButton } from '../../shared/ui/preference-switches.tsx'
import { ShapeWait } from '../../shared/ui/shape-wait.tsx'
import { SkipLink } from '../../shared/ui/skip-link.tsx'
import { usualPeriod } from './visit-report.ts'
import css from './visit-report-page.module.css'
import { VisitReportSheet } from './visit-report-sheet.tsx'

/** A report of remote maintenance, to be looked at and printed: who was inside a machine, and what was written to it. */
export function VisitReportPage(): ReactNode {
  const { machineId, from, to } = useSearch({ from: '/bare/visitReport' })
  const t = useText().visitReport
  const [usual] = useState(() => usualPeriod(Date.now()))
  const period = from && to ? { from, to } : usual
  return (
    <div className={css.page}>
      <SkipLink />
      <header className={css.bar}>
        <Link
          to="/index/"
          search={machineId ? { machine: machineId, tab: 'visits' } : {}}
          className={css.back}
        >
          <Icon name="chevronLeft" />
          {machineId ? t.back : t.toList}
        </Link>
        {machineId && (
          <PeriodForm key={`${period.from} ${period.to}`} machineId={machineId} period={period} />
        )}
        <LanguageButton />
        <ThemeButton />
      </header>
      <main id="content" data-prints="" tabIndex={-1} className={css.main}>
        {machineId ? (
          <Report key={machineId} machineId={machineId} period={period} />
        ) : (
          <EmptyState icon="history" title={t.noMachine} hint={t.noMachineHint} />
        )}
      </main>
    </div>
  )
}

interface OfMachine {
  readonly machineId: number
  readonly period: { readonly from: number; readonly to: number }
}

function PeriodForm({ machineId, period }: OfMachine) {
  const t = useText().visitReport
  const navigate = useNavigate()
  const [chosen, setChosen] = useState(period)

  function submit(event: FormEvent) {
    event.preventDefault()
    void navigate({ to: '/visitReport', search: { machineId, ...chosen } })
  }

  return (
    <form className={css.form} onSubmit={submit}>
      <DateRangePicker label={t.period} isLabelHidden value={chosen} onChange={setChosen} />
      <Button type="submit">{t.show}</Button>
      <Button kind="primary" icon="print" onClick={() => window.print()}>
        {t.print}
      </Button>
    </form>
  )
}

function Report({ machineId, period }: OfMachine) {
  const { visitReport: t, app } = useText()
  const role = useQuery(roleQuery(machineId))
  const report = useQuery(visitReportQuery(machineId, period))
  const isKey = (role.data?.level ?? 0) >= machines.limitAuthority.bkey
  const { error } = report
  if (report.data) return <VisitReportSheet report={report.data} />
  if (error instanceof ApiError && (error.isForbidden || error.is('404')) && !isKey)
    return <EmptyState icon="lock" title={t.noAccess} hint={t.noAccessHint} />
  if (error instanceof ApiError && (error.is('SPAN_INVALID') || error.http === 400))
    return <EmptyState icon="clock" title={t.spanInvalid} hint={t.spanInvalidHint} />
  if (error) {
    return (
      <EmptyState icon="warning" title={t.failed} hint={t.failedHint}>
        <Button icon="refresh" busy={report.isFetching} onClick={() => void report.refetch()}>
          {app.retry}
        </Button>
      </EmptyState>
    )
  }
  return (
    <div className={css.waiting} aria-busy="true">
      <ShapeWait shape="detail" />
    </div>
  )
}

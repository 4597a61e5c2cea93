import { errors } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import type { ComponentType, ReactNode } from 'react'
import { useLang, useText } from '../../shared/i18n/index.ts'
import { personQuery } from '../../shared/session/account-queries.ts'
import { Button } from '../../shared/ui/button.tsx'
import { classes } from '../../shared/ui/classes.ts'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import { Row, Stack, Text } from '../../shared/ui/layout/layout.tsx'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import { LanguageButton, ThemeButton } from '../../shared/ui/preference-switches.tsx'
import frame from '../../shared/ui/side-page.module.css'
import { SkipLink } from '../../shared/ui/skip-link.tsx'
import { AuditSection } from './audit-section.tsx'
import { BackOfficeNav } from './back-office-nav.tsx'
import css from './back-office-page.module.css'
import { BrandsSection } from './brands-section.tsx'
import { EnterprisePage } from './enterprise-page.tsx'
import { EnterprisesSection } from './enterprises-section.tsx'
import { JobsSection } from './jobs-section.tsx'
import { MachinePage } from './machine-page.tsx'
import { MachineTypesSection } from './machine-types-section.tsx'
import { MachinesSection } from './machines-section.tsx'
import { useOperatorText } from './operator-text.ts'
import { OutboxSection } from './outbox-section.tsx'
import { OverviewSection } from './overview-section.tsx'
import { ScadaSection } from './scada-section.tsx'
import { type BackOfficePart, isSubjectPart, type SubjectList, type SubjectPart } from './search.ts'
import { UserPage } from './user-page.tsx'
import { UsersSection } from './users-section.tsx'

const sections: Record<BackOfficePart, ComponentType> = {
  overview: OverviewSection,
  scada: ScadaSection,
  machines: MachinesSection,
  machineTypes: MachineTypesSection,
  users: UsersSection,
  enterprises: EnterprisesSection,
  projects: lazyPart(() => import('./projects-section.tsx').then((module) => module.ProjectsSection)),
  sims: lazyPart(() => import('./sims-section.tsx').then((module) => module.SimsSection)),
  simPlans: lazyPart(() => import('./sim-plans-section.tsx').then((module) => module.SimPlansSection)),
  simCarriers: lazyPart(() =>
    import('./sim-carriers-section.tsx').then((module) => module.SimCarriersSection),
  ),
  brands: BrandsSection,
  tileSources: lazyPart(() =>
    import('./tile-sources-section.tsx').then((module) => module.TileSourcesSection),
  ),
  outbox: OutboxSection,
  sms: lazyPart(() => import('./sms-section.tsx').then((module) => module.SmsSection)),
  jobs: JobsSection,
  audit: AuditSection,
}

const pages: Record<SubjectPart, (props: { id: number; list: SubjectList | undefined }) => ReactNode> = {
  users: UserPage,
  machines: MachinePage,
  enterprises: EnterprisePage,
}

/** Parts of several panels, which scroll as a whole; a single list scrolls inside itself. */
const flowing: ReadonlySet<BackOfficePart> = new Set(['overview', 'jobs'])

/**
 * The page where operators run the platform. The platform decides who is an operator; the page only shows the
 * refusal.
 */
export function BackOfficePage(): ReactNode {
  const { app } = useText()
  const t = useOperatorText()
  const person = useQuery(personQuery)
  if (person.data) return person.data.isOperator ? <Parts /> : <Refused />
  return (
    <div className={frame.page} aria-busy={!person.isError}>
      {person.isError && (
        <EmptyState icon="warning" title={t.failed} hint={t.failedHint}>
          <Button icon="refresh" busy={person.isFetching} onClick={() => void person.refetch()}>
            {app.retry}
          </Button>
        </EmptyState>
      )}
    </div>
  )
}

function Parts() {
  const { part = 'overview', id, list } = useSearch({ from: '/bare/backManage' })
  const Subject = id !== undefined && isSubjectPart(part) ? pages[part] : undefined
  const t = useOperatorText()
  const Section = sections[part]
  return (
    <div className={frame.page}>
      <SkipLink />
      <header className={frame.head}>
        <Link to="/index/" className={frame.back} aria-label={t.back} data-tip={t.back}>
          <Icon name="chevronLeft" size={18} />
        </Link>
        <Text as="h1" grows size="16/22">
          {t.title}
        </Text>
        <Row gap={2} fixed>
          <LanguageButton />
          <ThemeButton />
        </Row>
      </header>
      <div className={frame.body}>
        <BackOfficeNav part={part} />
        <main id="content" className={frame.main} tabIndex={-1}>
          <div className={classes(css.column, (Subject || flowing.has(part)) && css.flow)}>
            {Subject && id !== undefined ? (
              <Subject key={`${part} ${id}`} id={id} list={list} />
            ) : (
              <Section key={part} />
            )}
          </div>
        </main>
      </div>
    </div>
  )
}

function Refused() {
  const t = useOperatorText()
  const lang = useLang()
  return (
    <div className={frame.page}>
      <div className={frame.corner}>
        <LanguageButton />
        <ThemeButton />
      </div>
      <Stack as="main" align="center" justify="center" grows to="center" className={frame.refused}>
        <span className={frame.mark}>
          <Icon name="lock" size={20} />
        </span>
        <h1>{errors['403'].text[lang]}</h1>
        <p>{t.refused.hint}</p>
        <Link to="/index/" className={frame.way}>
          {t.refused.back}
        </Link>
      </Stack>
    </div>
  )
}

import { ApiError, machines } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type ComponentType, type ReactNode, useEffect, useMemo, useState } from 'react'
import { roleQuery, settingsQuery } from '../../entities/access/access-queries.ts'
import { limitsOf } from '../../entities/access/may-give.ts'
import { useAccessSync } from '../../entities/visit/use-access-sync.ts'
import { useText } from '../../shared/i18n/index.ts'
import { personQuery } from '../../shared/session/account-queries.ts'
import { Button } from '../../shared/ui/button.tsx'
import { type Confirmation, ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import frame from '../../shared/ui/side-page.module.css'
import { SkipLink } from '../../shared/ui/skip-link.tsx'
import { hideUndo } from '../../shared/ui/toast/toast-store.ts'
import { useTightScreen } from '../../shared/ui/use-tight-screen.ts'
import { type Administration, AdministrationProvider } from './administration.ts'
import { AdministrationHead } from './administration-head.tsx'
import { AdministrationNav } from './administration-nav.tsx'
import css from './administration-page.module.css'
import { ApplicationsSection } from './applications-section.tsx'
import { BkeysSection } from './bkeys-section.tsx'
import { BlacklistSection } from './blacklist-section.tsx'
import { NoAccess } from './no-access.tsx'
import { NowSection } from './now-section.tsx'
import type { AdministrationTab } from './search.ts'
import { TimesSection } from './times-section.tsx'
import { useRun } from './use-run.ts'
import { VisitorsSection } from './visitors-section.tsx'
import { VisitsSection } from './visits-section.tsx'

const ProjectsSection = lazyPart(() =>
  import('./projects-section.tsx').then((module) => module.ProjectsSection),
)
const SettingsSection = lazyPart(() =>
  import('./settings-section.tsx').then((module) => module.SettingsSection),
)

const sections: Record<AdministrationTab, ComponentType> = {
  now: NowSection,
  applications: ApplicationsSection,
  visitors: VisitorsSection,
  times: TimesSection,
  bkeys: BkeysSection,
  blacklist: BlacklistSection,
  visits: VisitsSection,
  projects: ProjectsSection,
  settings: SettingsSection,
}

/** A machine's keys: who may do what to it, for how long, and the general rules. */
export function AdministrationPage(): ReactNode {
  const { machineId } = useSearch({ from: '/bare/administrateCenter' })
  // Another machine is another page: nothing of the former stays, not even for a moment.
  return machineId === undefined ? <NoAccess /> : <OfMachine key={machineId} machineId={machineId} />
}

function OfMachine({ machineId }: { machineId: number }) {
  const { access: t, app } = useText()
  // An act of this page cannot be undone on another.
  useEffect(() => hideUndo, [])
  const refresh = useAccessSync(machineId)
  const role = useQuery(roleQuery(machineId))
  const level = role.data?.level ?? 0
  const isKey = level >= machines.limitAuthority.bkey
  const settings = useQuery({ ...settingsQuery(machineId), enabled: isKey })
  const { data: person } = useQuery(personQuery)
  const run = useRun(refresh)
  const [asked, ask] = useState<Confirmation>()
  const machine = settings.data && 'keyTagId' in settings.data ? settings.data : undefined
  const userId = person?.userid
  const isAkey = level >= machines.limitAuthority.akey
  const mayPropose = !isAkey && machine?.checkType === machines.checkTypes.akeyAndBkey
  const limits = useMemo(() => limitsOf(role.data), [role.data])
  const administration = useMemo<Administration | undefined>(
    () => machine && { machineId, machine, isAkey, mayPropose, limits, userId, ask, run, refresh },
    [machineId, machine, isAkey, mayPropose, limits, userId, run, refresh],
  )

  if ((role.data && !isKey) || isRefusal(role.error)) return <NoAccess />
  if (administration) {
    return (
      <AdministrationProvider value={administration}>
        <Sections />
        {asked && <ConfirmDialog confirmation={asked} onClose={() => ask(undefined)} onSettled={refresh} />}
      </AdministrationProvider>
    )
  }
  const failed = role.isError ? role : settings.isError ? settings : undefined
  return (
    <div className={frame.page} aria-busy={!failed}>
      {failed && (
        <EmptyState icon="warning" title={t.failed.title} hint={t.failed.hint}>
          <Button icon="refresh" busy={failed.isFetching} onClick={() => void failed.refetch()}>
            {app.retry}
          </Button>
        </EmptyState>
      )}
    </div>
  )
}

/** A stranger's machine is reported like one that does not exist. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && (error.isForbidden || error.is('404'))
}

function Sections() {
  const { tab = 'now' } = useSearch({ from: '/bare/administrateCenter' })
  const Section = sections[tab]
  // Beside the sections a row is too narrow for its buttons, so it is drawn as on a phone.
  const isTight = useTightScreen()
  return (
    <div className={frame.page} data-layout={isTight ? 'narrow' : undefined}>
      <SkipLink />
      <AdministrationHead />
      <div className={frame.body}>
        <AdministrationNav tab={tab} />
        <main id="content" className={frame.main} tabIndex={-1}>
          <div className={css.column}>
            <Section />
          </div>
        </main>
      </div>
    </div>
  )
}

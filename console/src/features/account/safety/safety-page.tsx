import { accounts } from '@busbar/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { SettingsPage } from '../../../entities/account/settings-page.tsx'
import { call } from '../../../shared/api/client.ts'
import { useText } from '../../../shared/i18n/language.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { Dialog } from '../../../shared/ui/dialog.tsx'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { Pager } from '../../../shared/ui/pager.tsx'
import { showToast } from '../../../shared/ui/toast/toast-store.ts'
import css from './safety-page.module.css'
import { terminalsKey, terminalsPerPage, terminalsQuery } from './safety-queries.ts'
import { SafetySettings } from './safety-settings.tsx'
import { SignOutOthers } from './sign-out-others.tsx'
import { TerminalRows, TerminalSkeletons } from './terminal-rows.tsx'

type Terminal = accounts.Terminal

/** Where this account is signed in, and how to end what one does not know. */
export function SafetyPage(): ReactNode {
  const { safety: t, settings } = useText()
  const [page, setPage] = useState(1)
  const [asked, setAsked] = useState<Terminal>()
  const { data, isPending, isError, refetch } = useQuery(terminalsQuery(page))
  const pages = data ? Math.max(1, Math.ceil(data.total / terminalsPerPage)) : 1
  return (
    <SettingsPage title={settings.menu.sessions} lead={settings.leads.sessions}>
      <section className={css.panel} aria-labelledby="terminals-title" aria-busy={isPending}>
        <header className={css.head}>
          <h2 id="terminals-title" className={css.title}>
            {t.terminals}
          </h2>
          {data && <span className={`${css.count} numbers`}>{t.count(data.total)}</span>}
          {data && data.total > 1 && <SignOutOthers />}
        </header>
        {isError && !data ? (
          <EmptyState icon="offline" title={t.failed} hint={t.failedHint}>
            <Retry onClick={() => void refetch()} />
          </EmptyState>
        ) : (
          <>
            <div className={css.names} aria-hidden="true">
              <span>{t.columns.terminal}</span>
              <span>{t.columns.place}</span>
              <span>{t.columns.signedIn}</span>
              <span>{t.columns.expires}</span>
            </div>
            {data ? <TerminalRows terminals={data.list} onSignOut={setAsked} /> : <TerminalSkeletons />}
          </>
        )}
        {data?.total === 1 && <p className={css.alone}>{t.alone}</p>}
        <Pager isFoot page={page} pages={pages} onPage={setPage} />
      </section>
      <SafetySettings />
      {asked && <SignOutDialog terminal={asked} onClose={() => setAsked(undefined)} />}
    </SettingsPage>
  )
}

function Retry({ onClick }: { onClick: () => void }) {
  const t = useText().app
  return (
    <Button icon="refresh" onClick={onClick}>
      {t.retry}
    </Button>
  )
}

/** It cannot be undone from here, so it is asked, naming the terminal. */
function SignOutDialog({ terminal, onClose }: { terminal: Terminal; onClose: () => void }) {
  const { app, safety: t } = useText()
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => call(accounts.removeTerminal, { id: terminal.id }),
    onSuccess: () => {
      showToast(t.signedOut(terminal.name))
      onClose()
    },
    onSettled: () => queries.invalidateQueries({ queryKey: terminalsKey }),
  })
  return (
    <Dialog
      title={t.confirmTitle(terminal.name)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{app.cancel}</Button>
          <Button kind="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
            {t.signOut}
          </Button>
        </>
      }
    >
      <p>{t.confirmBody(terminal.ip)}</p>
      {remove.isError && (
        <p role="alert" className={css.failed}>
          {t.signOutFailed}
        </p>
      )}
    </Dialog>
  )
}

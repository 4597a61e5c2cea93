import { accounts } from '@busbar/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { SettingsPage } from '../../../entities/account/settings-page.tsx'
import { call } from '../../../shared/api/client.ts'
import { useText } from '../../../shared/i18n/language.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { type Confirmation, ConfirmDialog } from '../../../shared/ui/dialogs/confirm-dialog.tsx'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { Panel, Row, Text } from '../../../shared/ui/layout/layout.tsx'
import { Pager } from '../../../shared/ui/pager.tsx'
import css from './safety-page.module.css'
import { terminalsKey, terminalsPerPage, terminalsQuery } from './safety-queries.ts'
import { SafetySettings } from './safety-settings.tsx'
import { TerminalRows, TerminalSkeletons } from './terminal-rows.tsx'

type Terminal = accounts.Terminal

/** The sessions of this account, and how to end unknown ones. */
export function SafetyPage(): ReactNode {
  const { account, safety: t, settings } = useText()
  const [page, setPage] = useState(1)
  const queries = useQueryClient()
  // Neither can be undone from here.
  const [asked, ask] = useState<Confirmation>()
  const { data, isPending, isError, refetch } = useQuery(terminalsQuery(page))
  const pages = data ? Math.max(1, Math.ceil(data.total / terminalsPerPage)) : 1

  const signOutOf = ({ id, name, ip }: Terminal): Confirmation => ({
    title: t.confirmTitle(name),
    body: t.confirmBody(ip),
    action: t.signOut,
    done: t.signedOut(name),
    call: () => call(accounts.removeTerminal, { id }),
  })
  const signOutOthers: Confirmation = {
    title: account.safety.othersTitle,
    body: account.safety.othersBody,
    action: account.safety.signOutOthers,
    done: account.safety.othersDone,
    call: () => call(accounts.removeOtherTerminals, {}),
  }

  return (
    <SettingsPage title={settings.menu.sessions} lead={settings.leads.sessions}>
      <Panel aria-labelledby="terminals-title" aria-busy={isPending}>
        <Row as="header" pad="12 16" gap={8} align="baseline">
          <Text id="terminals-title" as="h2" size="14/20" oneLine>
            {t.terminals}
          </Text>
          {data && (
            <Text tone="quiet" size={12} className={`${css.count} numbers`}>
              {t.count(data.total)}
            </Text>
          )}
          {data && data.total > 1 && (
            <Button size="small" className={css.others} onClick={() => ask(signOutOthers)}>
              {account.safety.signOutOthers}
            </Button>
          )}
        </Row>
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
            {data ? (
              <TerminalRows terminals={data.list} onSignOut={(terminal) => ask(signOutOf(terminal))} />
            ) : (
              <TerminalSkeletons />
            )}
          </>
        )}
        {data?.total === 1 && (
          <Text as="p" line="top" pad="10 16" tone="quiet" size={12}>
            {t.alone}
          </Text>
        )}
        <Pager isFoot page={page} pages={pages} onPage={setPage} />
      </Panel>
      <SafetySettings />
      {asked && (
        <ConfirmDialog
          confirmation={asked}
          onClose={() => ask(undefined)}
          onSettled={() => queries.invalidateQueries({ queryKey: terminalsKey })}
        />
      )}
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

import { enterprises, mayCall } from '@busbar/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { spaceKey, type Team, teamsQuery } from '../../entities/enterprise/enterprise-queries.ts'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Button, IconButton } from '../../shared/ui/button.tsx'
import { type Confirmation, ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { ListWait } from '../../shared/ui/people/list-wait.tsx'
import css from '../../shared/ui/people/people.module.css'
import { Panel } from '../../shared/ui/people/people-panel.tsx'
import type { SectionProps } from './manage-section.ts'
import { TeamDialog } from './team-dialog.tsx'

const template = 'minmax(160px, 1fr) 150px minmax(180px, 2fr) 72px'

/** Who looks after which devices. */
export function TeamsSection({ space, permission }: SectionProps): ReactNode {
  const { enterprises: words } = useText()
  const t = words.manage.teams
  const { eid } = space
  const queries = useQueryClient()
  const query = useQuery(teamsQuery(eid))
  const teams = query.data
  const [edited, edit] = useState<Team | 'new'>()
  const [asked, ask] = useState<Confirmation>()
  const mayAdd = mayCall(enterprises.createTeam, permission)
  const add = mayAdd && (
    <Button kind="primary" icon="plus" onClick={() => edit('new')}>
      {t.add}
    </Button>
  )
  return (
    <>
      <Panel
        title={words.manage.tabs.teams}
        lead={mayAdd ? undefined : words.manage.adminOnly}
        template={template}
        tools={teams && teams.length > 0 && add}
      >
        <ListWait query={query} />
        {teams?.length === 0 && (
          <div className={css.body}>
            <EmptyState icon="user" title={t.empty} hint={t.emptyHint}>
              {add}
            </EmptyState>
          </div>
        )}
        <ul>
          {teams?.map((team) => (
            <li key={team.id} className={css.row}>
              <span className={css.lines}>
                <span className={css.name}>{team.name}</span>
                <span className={css.minor}>{t.counts(team.members.length, team.machines.length)}</span>
              </span>
              <span className={css.tag}>{t.kinds[team.kind]}</span>
              <span className="cut" title={team.members.map(({ name }) => name).join(' · ')}>
                {team.members.map(({ name }) => name).join(' · ') || '—'}
              </span>
              <div className={css.actions}>
                {mayCall(enterprises.updateTeam, permission) && (
                  <>
                    <IconButton
                      icon="sliders"
                      size="small"
                      label={t.edit(team.name)}
                      onClick={() => edit(team)}
                    />
                    <IconButton
                      icon="trash"
                      size="small"
                      label={t.removeTitle(team.name)}
                      onClick={() =>
                        ask({
                          title: t.removeTitle(team.name),
                          body: t.removeBody,
                          action: t.remove,
                          done: t.removed(team.name),
                          call: () => call(enterprises.removeTeam, { eid, id: team.id }),
                        })
                      }
                    />
                  </>
                )}
              </div>
            </li>
          ))}
        </ul>
      </Panel>
      {edited && (
        <TeamDialog eid={eid} team={edited === 'new' ? undefined : edited} onClose={() => edit(undefined)} />
      )}
      {asked && (
        <ConfirmDialog
          confirmation={asked}
          onClose={() => ask(undefined)}
          onSettled={() => queries.invalidateQueries({ queryKey: spaceKey(eid) })}
        />
      )}
    </>
  )
}

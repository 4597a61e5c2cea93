import { enterprises, hasSpecialCharacters, limits, mayCall } from '@busbar/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { groupsQuery, spaceKey } from '../../entities/enterprise/enterprise-queries.ts'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Button, IconButton } from '../../shared/ui/button.tsx'
import { type Confirmation, ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx'
import { FormDialog } from '../../shared/ui/dialogs/form-dialog.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { TextField } from '../../shared/ui/field.tsx'
import { ListWait } from '../../shared/ui/people/list-wait.tsx'
import css from '../../shared/ui/people/people.module.css'
import { Panel } from '../../shared/ui/people/people-panel.tsx'
import { findLengthProblem } from '../../shared/ui/text-problems.ts'
import { useAct } from '../../shared/ui/use-act.ts'
import type { SectionProps } from './manage-section.ts'

interface Group {
  readonly id: number
  readonly name: string
}

/** The groups devices are sorted into. */
export function GroupsSection({ space, permission }: SectionProps): ReactNode {
  const { enterprises: words } = useText()
  const t = words.manage.groups
  const { eid } = space
  const queries = useQueryClient()
  const query = useQuery(groupsQuery(eid))
  const groups = query.data
  const [edited, edit] = useState<Group | 'new'>()
  const [asked, ask] = useState<Confirmation>()
  const mayChange = mayCall(enterprises.updateGroup, permission)
  const add = mayChange && (
    <Button kind="primary" icon="plus" onClick={() => edit('new')}>
      {t.add}
    </Button>
  )
  return (
    <>
      <Panel
        title={words.manage.tabs.groups}
        template="minmax(160px, 1fr) 120px 72px"
        tools={groups && groups.length > 0 && add}
      >
        <ListWait query={query} />
        {groups?.length === 0 && (
          <div className={css.body}>
            <EmptyState icon="group" title={t.empty} hint={t.emptyHint}>
              {add}
            </EmptyState>
          </div>
        )}
        <ul>
          {groups?.map((group) => (
            <li key={group.id} className={css.row}>
              <span className={css.name}>{group.name}</span>
              <span className={css.plain}>{t.count(group.count)}</span>
              <div className={css.actions}>
                {mayChange && (
                  <>
                    <IconButton
                      icon="sliders"
                      size="small"
                      label={`${t.rename}: ${group.name}`}
                      onClick={() => edit(group)}
                    />
                    <IconButton
                      icon="trash"
                      size="small"
                      label={t.removeTitle(group.name)}
                      onClick={() =>
                        ask({
                          title: t.removeTitle(group.name),
                          body: t.removeBody,
                          action: t.remove,
                          done: t.removed,
                          call: () => call(enterprises.removeGroup, { eid, id: group.id }),
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
        <GroupDialog
          eid={eid}
          group={edited === 'new' ? undefined : edited}
          onClose={() => edit(undefined)}
        />
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

function GroupDialog(props: { eid: number; group: Group | undefined; onClose: () => void }) {
  const { eid, group, onClose } = props
  const { app, enterprises: words } = useText()
  const t = words.manage.groups
  const [name, setName] = useState(group?.name ?? '')
  const [problem, setProblem] = useState<string>()
  const [refusal, setRefusal] = useState<string>()
  const wanted = name.trim()
  const save = useAct({
    call: () =>
      group
        ? call(enterprises.updateGroup, { eid, id: group.id, name: wanted })
        : call(enterprises.createGroup, { eid, name: wanted }),
    done: t.saved,
    touched: [spaceKey(eid)],
    onDone: onClose,
    onRefused: setRefusal,
  })
  return (
    <FormDialog
      title={group ? t.rename : t.add}
      submit={words.devices.save}
      busy={save.isPending}
      refusal={refusal}
      onClose={onClose}
      onSubmit={() => {
        const isSpecial = hasSpecialCharacters(wanted)
        const found = !wanted
          ? t.nameMissing
          : isSpecial
            ? t.special
            : findLengthProblem(wanted, limits.groupNameMax, app)
        setProblem(found)
        if (!found) save.mutate()
      }}
    >
      <TextField label={t.name} name="name" autoFocus value={name} error={problem} onChange={setName} />
    </FormDialog>
  )
}

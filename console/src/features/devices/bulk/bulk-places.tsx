import { machines as contract, enterprises } from '@busbar/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type DeviceType, groupsQuery, teamsQuery } from '../../../entities/enterprise/enterprise-queries.ts'
import type { Machine } from '../../../entities/machine/machine.ts'
import { machineListQuery } from '../../../entities/machine/machine-queries.ts'
import { call } from '../../../shared/api/client.ts'
import { formatNumber, useLang, useText } from '../../../shared/i18n/index.ts'
import form from '../../../shared/ui/dialogs/form.module.css'
import { SelectField } from '../../../shared/ui/fields/choice-fields.tsx'
import { Row, Stack } from '../../../shared/ui/layout/layout.tsx'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import { refreshGroups, userGroupsQuery } from '../groups/group-queries.ts'
import { CreateGroup } from '../groups/groups-dialog.tsx'
import css from './bulk-frame.module.css'
import { BulkFrame, NotListed } from './bulk-frame.tsx'
import { type BulkProps, useRefresh } from './bulk-props.ts'
import { groupSteps } from './group-steps.ts'
import type { BulkStep } from './run-bulk.ts'

/** Sets the groups of the devices: all in it, none, or unchanged. */
export function OwnGroupsBulk({ machines, space: _, ...frame }: BulkProps) {
  const t = useText().machineEdit.bulk
  const lang = useLang()
  const client = useQueryClient()
  const groups = useQuery(userGroupsQuery)
  const [wishes, setWishes] = useState<Readonly<Record<number, boolean>>>({})
  const wish = (id: number, isIn: boolean) => setWishes((before) => ({ ...before, [id]: isIn }))

  async function plan(wanted: readonly Machine[]): Promise<BulkStep[]> {
    const { list } = await client.fetchQuery({ ...machineListQuery(lang), staleTime: 0 })
    const { changes, gone } = groupSteps(wanted, list, wishes)
    return [
      ...gone.map((id): BulkStep => ({ ids: [id], run: () => Promise.reject(new NotListed()) })),
      ...changes.map(
        ({ groupId, ids, machineIds }): BulkStep => ({
          ids,
          run: () =>
            call(contract.updateUserGroup, { id: groupId, machineIds: [...machineIds] }, { noNotice: true }),
        }),
      ),
    ]
  }

  return (
    <BulkFrame
      {...frame}
      machines={machines}
      title={t.groupsTitle(formatNumber(machines.length))}
      action={t.save}
      isReady={Object.keys(wishes).length > 0}
      done={t.saved}
      plan={plan}
      refresh={() => refreshGroups(client)}
    >
      <Stack gap={10}>
        {groups.isPending && <Skeleton height={40} />}
        {groups.data && groups.data.length > 0 && (
          <>
            <p className={form.hint}>{t.groupsHint}</p>
            <div className={css.choices}>
              {groups.data.map(({ id, name }) => {
                const count = machines.filter((machine) =>
                  machine.groups.some((group) => group.id === id),
                ).length
                const isIn = wishes[id] ?? (count === machines.length || (count > 0 ? undefined : false))
                return (
                  <Row key={id} as="label" padY={4} padX={12} gap={10} className={css.choice}>
                    <input
                      type="checkbox"
                      checked={isIn === true}
                      ref={(box) => {
                        if (box) box.indeterminate = isIn === undefined
                      }}
                      onChange={({ target }) => wish(id, target.checked)}
                    />
                    <span className="cut">{name}</span>
                  </Row>
                )
              })}
            </div>
          </>
        )}
        <CreateGroup focused={groups.data?.length === 0} onCreated={(id) => wish(id, true)} />
      </Stack>
    </BulkFrame>
  )
}

/** The one group of an enterprise that its devices move to. */
export function EnterpriseGroupBulk({ eid, ...props }: BulkProps & { eid: number }) {
  const { machineEdit, enterprises: words } = useText()
  const t = machineEdit.bulk
  const { data } = useQuery(groupsQuery(eid))
  return (
    <PlaceBulk
      {...props}
      title={t.moveTitle(formatNumber(props.machines.length))}
      label={words.devices.group}
      noneLabel={words.devices.noGroup}
      emptyHint={t.noGroups}
      places={data}
      move={(id, groupId) =>
        call(enterprises.updateEnterpriseMachine, { eid, id, groupId }, { noNotice: true })
      }
    />
  )
}

/** The one team that looks after the devices. */
export function TeamBulk({ eid, type, ...props }: BulkProps & { eid: number; type: DeviceType }) {
  const { machineEdit, enterprises: words } = useText()
  const t = machineEdit.bulk
  const { data } = useQuery(teamsQuery(eid))
  return (
    <PlaceBulk
      {...props}
      title={t.teamTitle(formatNumber(props.machines.length))}
      label={type === 1 ? words.devices.team : words.devices.maintainers}
      noneLabel={words.devices.noTeam}
      emptyHint={t.noTeams}
      places={data?.filter(({ kind }) => kind === (type === 1 ? 'manage' : 'maintain'))}
      move={(id, teamId) =>
        call(enterprises.updateEnterpriseMachine, { eid, id, teamId }, { noNotice: true })
      }
    />
  )
}

interface PlaceBulkProps extends BulkProps {
  title: string
  label: string
  noneLabel: string
  emptyHint: string
  places: readonly { readonly id: number; readonly name: string }[] | undefined
  move: (machineId: number, placeId: number) => Promise<unknown>
}

function PlaceBulk(props: PlaceBulkProps) {
  const { title, label, noneLabel, emptyHint, places, move, space, ...frame } = props
  const t = useText().machineEdit.bulk
  const refresh = useRefresh(space)
  const [chosen, choose] = useState<number>()
  const placeId = chosen ?? places?.[0]?.id ?? 0
  return (
    <BulkFrame
      {...frame}
      title={title}
      action={t.save}
      isReady={places !== undefined}
      done={t.saved}
      refresh={refresh}
      plan={(wanted) => wanted.map(({ id }): BulkStep => ({ ids: [id], run: () => move(id, placeId) }))}
    >
      <div className={form.form}>
        {places ? (
          <SelectField
            label={label}
            value={placeId}
            onChange={choose}
            options={[...places, { id: 0, name: noneLabel }].map(({ id, name }) => ({
              value: id,
              label: name,
            }))}
            hint={places.length === 0 && emptyHint}
          />
        ) : (
          <Skeleton height={40} />
        )}
      </div>
    </BulkFrame>
  )
}

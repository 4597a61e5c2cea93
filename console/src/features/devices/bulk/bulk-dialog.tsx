import { ApiError, machines as contract, enterprises } from '@busbar/contract'
import { useQueryClient } from '@tanstack/react-query'
import { alarmsKey } from '../../../entities/alarm/alarm-queries.ts'
import type { Machine } from '../../../entities/machine/machine.ts'
import { call } from '../../../shared/api/client.ts'
import { formatNumber, useText } from '../../../shared/i18n/index.ts'
import { Stack, Text } from '../../../shared/ui/layout/layout.tsx'
import { useDeviceSpace } from '../space.ts'
import type { Bulk } from './bulk-acts.ts'
import css from './bulk-frame.module.css'
import { BulkFrame } from './bulk-frame.tsx'
import { EnterpriseGroupBulk, OwnGroupsBulk, TeamBulk } from './bulk-places.tsx'
import { type BulkProps, useRefresh } from './bulk-props.ts'
import type { BulkStep } from './run-bulk.ts'

/** The dialog of an act on many devices. */
export function BulkDialog({ kind, ...rest }: Omit<BulkProps, 'space'> & Bulk) {
  const space = useDeviceSpace()
  const props = { ...rest, space }
  switch (kind) {
    case 'groups':
      return space.kind === 'personal' ? (
        <OwnGroupsBulk {...props} />
      ) : (
        <EnterpriseGroupBulk {...props} eid={space.eid} />
      )
    case 'team':
      return space.kind === 'personal' ? null : <TeamBulk {...props} eid={space.eid} type={space.type} />
    case 'confirm':
      return <ConfirmBulk {...props} />
    case 'remove':
      return <RemoveBulk {...props} />
  }
}

function ConfirmBulk({ machines, space, ...frame }: BulkProps) {
  const t = useText().machineEdit.bulk
  const client = useQueryClient()
  const refreshSpace = useRefresh(space)
  const refresh = () =>
    Promise.all([
      refreshSpace(),
      client.invalidateQueries({ queryKey: alarmsKey }),
      ...machines.map(({ id }) => client.invalidateQueries({ queryKey: ['machines', id, 'detail'] })),
    ])
  return (
    <BulkFrame
      {...frame}
      machines={machines}
      refresh={refresh}
      title={t.confirmTitle(formatNumber(machines.length))}
      action={t.confirmAction}
      done={t.confirmed}
      plan={(wanted) =>
        wanted.map(
          ({ id }): BulkStep => ({
            ids: [id],
            run: () => call(contract.confirmAlarms, { machineID: id }, { noNotice: true }),
          }),
        )
      }
    >
      <Text as="p" pretty>
        {t.confirmBody}
      </Text>
    </BulkFrame>
  )
}

/** The device is out of the list already, as wanted. */
const countsAsRemoved = (error: unknown) =>
  error instanceof ApiError && (error.is('04010307') || error.is('040103010'))

const isAkey = ({ level }: Machine) => level === contract.limitAuthority.akey

async function removeOwn(machine: Machine): Promise<void> {
  try {
    const request = { delMachineID: machine.id, isAkey: isAkey(machine) }
    await call(contract.removeMachine, request, { noNotice: true })
  } catch (error) {
    if (!countsAsRemoved(error)) throw error
  }
}

function RemoveBulk({ machines, space, ...frame }: BulkProps) {
  const { machineEdit, enterprises: words } = useText()
  const t = machineEdit.bulk
  const refresh = useRefresh(space)
  const isOwn = space.kind === 'personal'
  const remove = (machine: Machine) =>
    isOwn
      ? removeOwn(machine)
      : call(enterprises.removeEnterpriseMachine, { eid: space.eid, id: machine.id }, { noNotice: true })
  const action = machines.some(isAkey) ? machineEdit.remove.actionAkey : machineEdit.remove.action
  return (
    <BulkFrame
      {...frame}
      isDanger
      machines={machines}
      refresh={refresh}
      title={t.removeTitle(formatNumber(machines.length))}
      action={isOwn ? action : words.devices.remove}
      done={t.removed}
      explain={(error) => (error.is('04010301') ? machineEdit.remove.held : undefined)}
      plan={(wanted) =>
        wanted.map((machine): BulkStep => ({ ids: [machine.id], run: () => remove(machine) }))
      }
    >
      <Stack gap={10}>
        {isOwn ? (
          <OwnLosses machines={machines} />
        ) : (
          <>
            <Text as="p" pretty>
              {space.kind === 'owned' ? t.removeOwned : t.removeMaintained}
            </Text>
            <Names machines={machines} />
          </>
        )}
      </Stack>
    </BulkFrame>
  )
}

/** Names the roles that are lost with the devices, the highest first. */
function OwnLosses({ machines }: { machines: readonly Machine[] }) {
  const { machineEdit, machines: words } = useText()
  const t = machineEdit.bulk
  const levels = Object.values(contract.limitAuthority).toSorted((a, b) => b - a)
  return (
    <>
      {levels.map((level) => {
        const held = machines.filter((machine) => machine.level === level)
        return (
          held.length > 0 && (
            <Stack key={level} as="section" gap={4}>
              <h3>
                {words.roles[level]} · {t.names(formatNumber(held.length))}
              </h3>
              <Text as="p" pretty>
                {t.removeLosses[level]}
              </Text>
              <Names machines={held} />
            </Stack>
          )
        )
      })}
      {machines.some(({ groups }) => groups.length > 0) && (
        <Text as="p" pretty>
          {t.removeGroups}
        </Text>
      )}
    </>
  )
}

function Names({ machines }: { machines: readonly Machine[] }) {
  return (
    <ul className={css.names}>
      {machines.map(({ id, name }) => (
        <li key={id}>{name}</li>
      ))}
    </ul>
  )
}

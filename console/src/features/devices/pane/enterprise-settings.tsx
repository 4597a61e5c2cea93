import { enterprises, mayCall } from '@busbar/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import {
  type DeviceType,
  groupsQuery,
  type Permission,
  spaceKey,
  teamsQuery,
} from '../../../entities/enterprise/enterprise-queries.ts'
import type { Machine } from '../../../entities/machine/machine.ts'
import { call } from '../../../shared/api/client.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { type Confirmation, ConfirmDialog } from '../../../shared/ui/dialogs/confirm-dialog.tsx'
import { TextField } from '../../../shared/ui/field.tsx'
import { SelectField } from '../../../shared/ui/fields/choice-fields.tsx'
import { FormRefusal } from '../../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../../shared/ui/form/use-form.ts'
import { Row, Stack } from '../../../shared/ui/layout/layout.tsx'
import { useDeviceSpace } from '../space.ts'
import { TransferDialog } from '../transfer/transfer-dialog.tsx'
import css from './enterprise-settings.module.css'

interface EnterpriseSettingsProps {
  machine: Machine
  /** Its pane closes. */
  onClose: () => void
}

/** The settings of a device in an enterprise: name and notes, transfer, removal. */
export function EnterpriseSettings({ machine, onClose }: EnterpriseSettingsProps): ReactNode {
  const space = useDeviceSpace()
  if (space.kind === 'personal' || !space.permission) return null
  const { eid, type, permission } = space
  return <Settings key={machine.id} {...{ eid, type, permission, machine, onClose }} />
}

interface SettingsProps extends EnterpriseSettingsProps {
  eid: number
  type: DeviceType
  permission: Permission
}

function Settings({ eid, type, machine, permission, onClose }: SettingsProps) {
  const text = useText()
  const t = text.enterprises.devices
  const queries = useQueryClient()
  const navigate = useNavigate()
  const isOwner = type === 1 && permission.role === 'owner'
  const [asked, ask] = useState<Confirmation>()
  const [isTransferring, setTransferring] = useState(false)
  const remove = (): Confirmation => ({
    title: t.removeTitle(machine.name),
    body: type === 1 ? t.removeBody : t.leaveBody,
    action: t.remove,
    done: t.removed(machine.name),
    call: async () => {
      await call(enterprises.removeEnterpriseMachine, { eid, id: machine.id })
      onClose()
    },
    wayOut: (refusal) =>
      refusal.is('MACHINE_HELD') && (
        <>
          <Button
            kind={isOwner ? 'default' : 'primary'}
            onClick={() => void navigate({ to: '/administrateCenter', search: { machineId: machine.id } })}
          >
            {text.machineEdit.remove.release}
          </Button>
          {isOwner && (
            <Button
              kind="primary"
              icon="transfer"
              onClick={() => {
                ask(undefined)
                setTransferring(true)
              }}
            >
              {text.machineEdit.remove.transfer}
            </Button>
          )}
        </>
      ),
  })
  return (
    <Stack pad={16} gap={24}>
      {mayCall(enterprises.updateEnterpriseMachine, permission) ? (
        <EditForm
          eid={eid}
          type={type}
          machine={machine}
          mayMove={mayCall(enterprises.updateTeam, permission)}
        />
      ) : (
        <RemarkForm eid={eid} machine={machine} />
      )}
      {isTransferring && (
        <TransferDialog
          subject={{ machineId: machine.id, name: machine.name, eid }}
          onClose={() => setTransferring(false)}
        />
      )}
      {mayCall(enterprises.removeEnterpriseMachine, permission) && (
        <Row line="top" gap={8} align="stretch" wraps className={css.danger}>
          {isOwner && (
            <Button icon="transfer" onClick={() => setTransferring(true)}>
              {t.transfer}
            </Button>
          )}
          <Button kind="danger" icon="trash" onClick={() => ask(remove())}>
            {t.remove}
          </Button>
        </Row>
      )}
      {asked && (
        <ConfirmDialog
          confirmation={asked}
          onClose={() => ask(undefined)}
          onSettled={() => queries.invalidateQueries({ queryKey: spaceKey(eid) })}
        />
      )}
    </Stack>
  )
}

interface FormProps {
  eid: number
  machine: Machine
}

/** The enterprise's own name, remark and group for it. */
function EditForm({ eid, type, machine, mayMove }: FormProps & { type: DeviceType; mayMove: boolean }) {
  const { enterprises: words, machines } = useText()
  const t = words.devices
  const { data: groups = [] } = useQuery(groupsQuery(eid))
  const { data: all = [] } = useQuery(teamsQuery(eid))
  const teams = all.filter(({ kind }) => kind === (type === 1 ? 'manage' : 'maintain'))
  const given = teams.find(({ machines }) => machines.some(({ machineId }) => machineId === machine.id))
  const former = given?.id ?? 0
  const form = useForm({
    route: enterprises.updateEnterpriseMachine,
    initial: {
      name: machine.name,
      remark: machine.remark,
      groupId: machine.groups[0]?.id ?? 0,
      teamId: former,
    },
    follows: true,
    required: ['name'],
    words: { name: { required: machines.addDialog.problems.nameEmpty } },
    send: ({ name, remark, groupId, teamId }) =>
      call(enterprises.updateEnterpriseMachine, {
        eid,
        id: machine.id,
        name: name.trim(),
        remark: remark.trim(),
        groupId,
        ...(teamId === former ? {} : { teamId }),
      }),
    done: t.saved,
    touched: [spaceKey(eid)],
  })
  return (
    <form className={css.form} {...form.props}>
      <TextField label={t.name} {...form.text('name')} />
      <TextField label={t.remark} {...form.text('remark')} />
      <SelectField
        label={t.group}
        options={[
          { value: 0, label: t.noGroup },
          ...groups.map((group) => ({ value: group.id, label: group.name })),
        ]}
        {...form.field('groupId')}
      />
      {mayMove && teams.length > 0 && (
        <SelectField
          label={type === 1 ? t.team : t.maintainers}
          options={[
            { value: 0, label: t.noTeam },
            ...teams.map(({ id, name: label }) => ({ value: id, label })),
          ]}
          {...form.field('teamId')}
        />
      )}
      <FormRefusal text={form.general} />
      <Button type="submit" busy={form.isSending}>
        {t.save}
      </Button>
    </form>
  )
}

/** All that a member changes who maintains devices and does not manage them. */
function RemarkForm({ eid, machine }: FormProps) {
  const t = useText().enterprises.devices
  const form = useForm({
    route: enterprises.updateMaintenanceRemark,
    initial: { remark: machine.remark },
    follows: true,
    send: ({ remark }) =>
      call(enterprises.updateMaintenanceRemark, { eid, deviceId: machine.id, remark: remark.trim() }),
    done: t.saved,
    touched: [spaceKey(eid)],
  })
  return (
    <form className={css.form} {...form.props}>
      <TextField label={t.remark} {...form.text('remark')} />
      <FormRefusal text={form.general} />
      <Button type="submit" busy={form.isSending}>
        {t.save}
      </Button>
    </form>
  )
}

import { enterprises } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import {
  membersPerPage,
  membersQuery,
  spaceKey,
  type Team,
} from '../../entities/enterprise/enterprise-queries.ts'
import { filterMachines } from '../../entities/machine/machine-order.ts'
import { enterpriseMachinesQuery } from '../../entities/machine/machine-queries.ts'
import { call } from '../../shared/api/client.ts'
import { useLang, useText } from '../../shared/i18n/index.ts'
import { TextField } from '../../shared/ui/field.tsx'
import { SelectField } from '../../shared/ui/fields/choice-fields.tsx'
import { type Pick, PickField } from '../../shared/ui/fields/pick-field.tsx'
import { FormDialog } from '../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../shared/ui/form/use-form.ts'

interface TeamDialogProps {
  eid: number
  /** Undefined: one is made. */
  team: Team | undefined
  onClose: () => void
}

type TeamInput = {
  readonly name: string
  readonly kind: enterprises.TeamKind
  readonly people: readonly Pick[]
  readonly machines: readonly Pick[]
}

/** The most that a person looks through; more are searched for. */
const devicesShown = 50
const idsOf = (picks: readonly Pick[]) => picks.map(({ value }) => value)

/** A team's name, people and devices. */
export function TeamDialog({ eid, team, onClose }: TeamDialogProps) {
  const { enterprises: words } = useText()
  const t = words.manage.teams
  const form = useForm<TeamInput>({
    route: team ? enterprises.updateTeam : enterprises.createTeam,
    initial: {
      name: team?.name ?? '',
      kind: team?.kind ?? 'manage',
      people: (team?.members ?? []).map(({ userId, name: label, phoneMasked }) => ({
        value: userId,
        label,
        hint: phoneMasked,
      })),
      machines: (team?.machines ?? []).map(({ machineId, name: label, machineCode }) => ({
        value: machineId,
        label,
        hint: machineCode,
      })),
    },
    words: { name: { required: t.nameMissing } },
    send: async ({ name, kind, people, machines }) => {
      const fields = { eid, name: name.trim(), memberIds: idsOf(people), machineIds: idsOf(machines) }
      if (team) await call(enterprises.updateTeam, { ...fields, id: team.id })
      else await call(enterprises.createTeam, { ...fields, kind })
    },
    done: (_, { name }) => t.saved(name.trim()),
    errorFields: { TEAM_NAME_TAKEN: 'name' },
    touched: [spaceKey(eid)],
    onSent: onClose,
  })
  const { kind } = form.values

  return (
    <FormDialog
      title={team ? t.edit(team.name) : t.add}
      submit={words.devices.save}
      form={form}
      onClose={onClose}
    >
      <TextField label={t.name} autoFocus {...form.text('name')} />
      {!team && (
        <SelectField
          label={t.kind}
          value={kind}
          onChange={(next) => {
            form.set('kind', next)
            form.set('machines', [])
          }}
          options={enterprises.teamKinds.map((value) => ({ value, label: t.kinds[value] }))}
          hint={t.kindHints[kind]}
        />
      )}
      <PeopleField eid={eid} {...form.field('people')} />
      <MachinesField key={kind} eid={eid} kind={kind} {...form.field('machines')} />
    </FormDialog>
  )
}

interface ChoiceProps {
  eid: number
  value: readonly Pick[]
  onChange: (value: readonly Pick[]) => void
}

/** Members are looked for by the platform: there may be ten thousand. */
function PeopleField({ eid, value, onChange }: ChoiceProps) {
  const { teams: t, members } = useText().enterprises.manage
  const [query, setQuery] = useState('')
  const { data } = useQuery(membersQuery(eid, 1, useDeferredValue(query.trim())))
  return (
    <PickField
      label={t.people}
      search={members.search}
      onQuery={setQuery}
      value={value}
      onChange={onChange}
      found={data?.list.map((member) => ({
        value: member.userId,
        label: member.name,
        hint: member.accountMasked,
      }))}
      hasMore={(data?.total ?? 0) > membersPerPage}
      none={members.noMatch}
    />
  )
}

function MachinesField({ eid, kind, value, onChange }: ChoiceProps & { kind: enterprises.TeamKind }) {
  const { devices: words, manage } = useText().enterprises
  const [query, setQuery] = useState('')
  const { data } = useQuery(enterpriseMachinesQuery(eid, kind === 'manage' ? 1 : 2, useLang()))
  const asked = useDeferredValue(query)
  const fitting = data && filterMachines(data.list, { query: asked, state: null, groupId: null })
  return (
    <PickField
      label={manage.teams.machines}
      search={words.search}
      onQuery={setQuery}
      value={value}
      onChange={onChange}
      found={fitting?.slice(0, devicesShown).map((machine) => ({
        value: machine.id,
        label: machine.name,
        hint: machine.code,
      }))}
      hasMore={(fitting?.length ?? 0) > devicesShown}
      none={query ? words.empty.match : kind === 'manage' ? words.empty.owned : words.empty.maintained}
    />
  )
}

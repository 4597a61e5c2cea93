import { enterprises, limits } from '@busbar/contract'
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
import { FormDialog } from '../../shared/ui/dialogs/form-dialog.tsx'
import { TextField } from '../../shared/ui/field.tsx'
import { SelectField } from '../../shared/ui/fields/choice-fields.tsx'
import { type Pick, PickField } from '../../shared/ui/fields/pick-field.tsx'
import { findLengthProblem } from '../../shared/ui/text-problems.ts'
import { useAct } from '../../shared/ui/use-act.ts'

interface TeamDialogProps {
  eid: number
  /** Undefined: one is made. */
  team: Team | undefined
  onClose: () => void
}

/** As many as one looks through; more are searched for. */
const devicesShown = 50
const idsOf = (picks: readonly Pick[]) => picks.map(({ value }) => value)

/** A team's name, people and devices. */
export function TeamDialog({ eid, team, onClose }: TeamDialogProps) {
  const { app, enterprises: words } = useText()
  const t = words.manage.teams
  const [name, setName] = useState(team?.name ?? '')
  const [kind, setKind] = useState<enterprises.TeamKind>(team?.kind ?? 'manage')
  const [people, setPeople] = useState<readonly Pick[]>(
    team?.members.map(({ userId, name: label, phoneMasked }) => ({
      value: userId,
      label,
      hint: phoneMasked,
    })) ?? [],
  )
  const [machines, setMachines] = useState<readonly Pick[]>(
    team?.machines.map((machine) => ({
      value: machine.machineId,
      label: machine.name,
      hint: machine.machineCode,
    })) ?? [],
  )
  const [problem, setProblem] = useState<string>()
  const [refusal, setRefusal] = useState<string>()
  const save = useAct({
    call: () => {
      const fields = { eid, name: name.trim(), memberIds: idsOf(people), machineIds: idsOf(machines) }
      return team
        ? call(enterprises.updateTeam, { ...fields, id: team.id })
        : call(enterprises.createTeam, { ...fields, kind })
    },
    done: t.saved(name.trim()),
    touched: [spaceKey(eid)],
    onDone: onClose,
    onRefused: setRefusal,
  })

  function submit() {
    const found = name.trim() ? findLengthProblem(name, limits.teamNameMax, app) : t.nameMissing
    setProblem(found)
    if (!found) save.mutate()
  }

  return (
    <FormDialog
      title={team ? t.edit(team.name) : t.add}
      submit={words.devices.save}
      busy={save.isPending}
      refusal={refusal}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextField label={t.name} name="name" autoFocus value={name} error={problem} onChange={setName} />
      {!team && (
        <SelectField
          label={t.kind}
          value={kind}
          onChange={(next) => {
            setKind(next)
            setMachines([])
          }}
          options={enterprises.teamKinds.map((value) => ({ value, label: t.kinds[value] }))}
          hint={t.kindHints[kind]}
        />
      )}
      <PeopleField eid={eid} chosen={people} onChange={setPeople} />
      <MachinesField key={kind} eid={eid} kind={kind} chosen={machines} onChange={setMachines} />
    </FormDialog>
  )
}

interface ChoiceProps {
  eid: number
  chosen: readonly Pick[]
  onChange: (chosen: readonly Pick[]) => void
}

/** Members are looked for by the platform: there may be ten thousand. */
function PeopleField({ eid, chosen, onChange }: ChoiceProps) {
  const { teams: t, members } = useText().enterprises.manage
  const [query, setQuery] = useState('')
  const { data } = useQuery(membersQuery(eid, 1, useDeferredValue(query.trim())))
  return (
    <PickField
      label={t.people}
      search={members.search}
      query={query}
      onQuery={setQuery}
      chosen={chosen}
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

function MachinesField({ eid, kind, chosen, onChange }: ChoiceProps & { kind: enterprises.TeamKind }) {
  const { devices: words, manage } = useText().enterprises
  const [query, setQuery] = useState('')
  const { data } = useQuery(enterpriseMachinesQuery(eid, kind === 'manage' ? 1 : 2, useLang()))
  const asked = useDeferredValue(query)
  const fitting = data && filterMachines(data.list, { query: asked, state: null, groupId: null })
  return (
    <PickField
      label={manage.teams.machines}
      search={words.search}
      query={query}
      onQuery={setQuery}
      chosen={chosen}
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

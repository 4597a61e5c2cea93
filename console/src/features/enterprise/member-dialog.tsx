import { enterprises, type MemberRight, memberRights } from '@busbar/contract'
import { useState } from 'react'
import { type Member, spaceKey } from '../../entities/enterprise/enterprise-queries.ts'
import { PersonField } from '../../entities/person/person-field.tsx'
import {
  emptyPerson,
  findPersonProblem,
  formatPerson,
  type PersonInput,
  toPerson,
} from '../../entities/person/person-input.ts'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import css from '../../shared/ui/dialogs/form.module.css'
import { FormDialog } from '../../shared/ui/dialogs/form-dialog.tsx'
import { ChecksField, SelectField } from '../../shared/ui/fields/choice-fields.tsx'
import { useAct } from '../../shared/ui/use-act.ts'

interface MemberDialogProps {
  eid: number
  /** Undefined: somebody is invited. */
  member: Member | undefined
  /** Owners make owners. */
  isOwner: boolean
  onClose: () => void
}

/** Invites somebody with a role and rights, or changes those of a member. */
export function MemberDialog({ eid, member, isOwner, onClose }: MemberDialogProps) {
  const text = useText()
  const { enterprises: words } = text
  const t = words.manage.members
  const [person, setPerson] = useState<PersonInput>(emptyPerson)
  const [role, setRole] = useState<enterprises.EnterpriseRole>(member?.role ?? 'member')
  const [rights, setRights] = useState<MemberRight[]>(
    member?.role === 'member' ? [...member.rights] : ['view'],
  )
  const [problem, setProblem] = useState<string>()
  const [refusal, setRefusal] = useState<string>()
  const save = useAct({
    call: () =>
      member
        ? call(enterprises.updateMember, { eid, userId: member.userId, role, rights })
        : call(enterprises.inviteMember, { eid, ...toPerson(person), role, rights }),
    done: member ? words.devices.saved : t.invited(formatPerson(person)),
    touched: [spaceKey(eid), ['enterprises']],
    onDone: onClose,
    onRefused: setRefusal,
  })
  const roles = enterprises.enterpriseRoles.filter((each) => each !== 'owner' || isOwner)

  function submit() {
    const found = member ? undefined : findPersonProblem(person, text)
    setProblem(found)
    if (!found) save.mutate()
  }

  return (
    <FormDialog
      title={member ? t.editTitle(member.name) : t.invite}
      submit={member ? words.devices.save : t.send}
      busy={save.isPending}
      refusal={refusal}
      onClose={onClose}
      onSubmit={submit}
    >
      {!member && (
        <div>
          <PersonField
            label={t.account}
            value={person}
            error={problem}
            onChange={(next) => {
              setPerson(next)
              setProblem(undefined)
            }}
          />
          <p className={css.hint}>{t.accountHint}</p>
        </div>
      )}
      <SelectField
        label={t.role}
        value={role}
        onChange={setRole}
        options={roles.map((value) => ({ value, label: words.roles[value] }))}
        hint={t.roleHints[role]}
      />
      {role === 'member' && (
        <ChecksField
          label={t.rights}
          values={rights}
          onChange={setRights}
          options={memberRights.map((value) => ({
            value,
            label: words.rights[value],
            hint: words.rightHints[value],
          }))}
        />
      )}
    </FormDialog>
  )
}

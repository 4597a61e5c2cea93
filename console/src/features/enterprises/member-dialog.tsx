import { enterprises, type MemberRight, memberRights } from '@busbar/contract'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { useText } from '../../i18n/index.ts'
import { TextField } from '../../ui/field.tsx'
import {
  type AccountInput,
  findAccountProblem,
  formatAccount,
  isEmail,
  toAccount,
} from '../access/account-form.ts'
import css from '../access/form.module.css'
import { CountrySelect } from '../login/country-select.tsx'
import { ChecksField, SelectField } from './choice-fields.tsx'
import { type Member, spaceKey } from './enterprise-queries.ts'
import { FormDialog } from './form-dialog.tsx'
import { useAct } from './use-act.ts'

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
  const { enterprises: words, access } = useText()
  const t = words.manage.members
  const [account, setAccount] = useState<AccountInput>({ text: '', countryCode: '86' })
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
        : call(enterprises.inviteMember, { eid, ...toAccount(account), role, rights }),
    done: member ? words.devices.saved : t.invited(formatAccount(account)),
    touched: [spaceKey(eid), ['enterprises']],
    onDone: onClose,
    onRefused: setRefusal,
  })
  const roles = enterprises.enterpriseRoles.filter((each) => each !== 'owner' || isOwner)

  function submit() {
    const found = member ? undefined : findAccountProblem(account, access.add.problems)
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
          <TextField
            label={t.account}
            name="account"
            autoFocus
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={account.text}
            error={problem}
            onChange={(text) => setAccount({ ...account, text })}
            before={
              !isEmail(account.text) && (
                <CountrySelect
                  value={account.countryCode}
                  onChange={(countryCode) => setAccount({ ...account, countryCode })}
                />
              )
            }
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

import { ApiError, accounts, errorText, limits } from '@busbar/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import {
  type AccountInput,
  findAccountProblem,
  formatAccount,
  isEmail,
  toAccount,
} from '../../entities/account/account-form.ts'
import { explainStep } from '../../entities/account/code-calls.ts'
import { FailureNote } from '../../entities/account/failure-note.tsx'
import { friendsKey } from '../../entities/person/friend-queries.ts'
import { call } from '../../shared/api/client.ts'
import { getLang, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { TextField } from '../../shared/ui/field.tsx'
import { CountrySelect } from '../../shared/ui/fields/country-select.tsx'
import { findNameProblem } from '../../shared/ui/text-problems.ts'
import { showToast } from '../../shared/ui/toast/toast-store.ts'
import css from './friends-page.module.css'

type Problems = Partial<Record<'account' | 'remark' | 'form', string>>

/** Adds somebody by their exact account (decision 16). */
export function AddFriendDialog({ onClose }: { onClose: () => void }) {
  const { access, account: words, app, joining } = useText()
  const t = words.friends
  const queries = useQueryClient()
  const formId = useId()
  const [account, setAccount] = useState<AccountInput>({ text: '', countryCode: '86' })
  const [remark, setRemark] = useState('')
  const [problems, setProblems] = useState<Problems>({})
  const add = useMutation({
    mutationFn: () =>
      call(accounts.addFriend, { ...toAccount(account), remark: remark.trim() }, { noNotice: true }),
    onSuccess: () => {
      showToast(t.added(formatAccount(account)))
      onClose()
      return queries.invalidateQueries({ queryKey: friendsKey })
    },
    onError: (error) => setProblems(judge(error)),
  })

  function judge(error: unknown): Problems {
    if (error instanceof ApiError) {
      if (error.is('FRIEND_SELF')) return { account: t.self }
      if (error.is('01010304')) return { account: errorText('01010304', getLang()) ?? joining.failed }
      if (error.field === 'account' || error.field === 'countryCode')
        return { account: access.add.problems.accountForm }
      if (error.field === 'remark') return { remark: t.remarkLong(limits.remarkMax) }
    }
    return { form: explainStep(error, joining) }
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    const problem = findAccountProblem(account, access.add.problems)
    const wrong = findNameProblem(remark, limits.remarkMax, app)
    setProblems({
      ...(problem ? { account: problem } : {}),
      ...(wrong ? { remark: wrong } : {}),
    })
    if (!problem && !wrong) add.mutate()
  }

  return (
    <Dialog
      title={t.addTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{app.cancel}</Button>
          <Button kind="primary" type="submit" form={formId} busy={add.isPending}>
            {t.add}
          </Button>
        </>
      }
    >
      <form id={formId} className={css.form} noValidate onSubmit={submit}>
        <TextField
          label={t.account}
          autoFocus
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={account.text}
          error={problems.account}
          onChange={(text) => {
            setAccount({ ...account, text })
            setProblems({})
          }}
          before={
            !isEmail(account.text) && (
              <CountrySelect
                value={account.countryCode}
                onChange={(countryCode) => setAccount({ ...account, countryCode })}
              />
            )
          }
        />
        <TextField
          label={t.remark}
          placeholder={t.remarkPlaceholder(limits.remarkMax)}
          autoComplete="off"
          value={remark}
          error={problems.remark}
          onChange={(next) => {
            setRemark(next)
            setProblems({})
          }}
        />
        <FailureNote text={problems.form} />
      </form>
    </Dialog>
  )
}

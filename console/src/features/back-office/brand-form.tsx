import { type AnswerOf, ApiError, isColour, operator } from '@busbar/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { call } from '../../shared/api/client.ts'
import { useLang, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { TextField } from '../../shared/ui/field.tsx'
import { Switch } from '../../shared/ui/switch.tsx'
import { showToast } from '../../shared/ui/toast/toast-store.ts'
import { explain } from './act-dialog.tsx'
import {
  type BrandDraft,
  type BrandProblems,
  checkBrand,
  freshBrand,
  parseDownloads,
  splitHosts,
  writeDownloads,
} from './brand-draft.ts'
import css from './brand-form.module.css'
import { BrandPicture } from './brand-picture.tsx'
import { BrandPreview, ownAccent } from './brand-preview.tsx'
import form from './form.module.css'
import { operatorKey } from './operator-queries.ts'
import { useOperatorText } from './operator-text.ts'

type BrandRow = AnswerOf<typeof operator.listBrands>['list'][number]

const clients = ['pc', 'mobile', 'tv'] as const
const bounds = ['latest', 'lowest'] as const

/** Sets up a brand or changes one, with what it will look like beside it. */
export function BrandForm({ brand, onClose }: { brand: BrandRow | undefined; onClose: () => void }) {
  const t = useOperatorText().brandForm
  const { app } = useText()
  const lang = useLang()
  const queries = useQueryClient()
  const [draft, setDraft] = useState<BrandDraft>(() => (brand ? draftOf(brand) : freshBrand))
  const [problems, setProblems] = useState<BrandProblems>({})
  const change = (part: Partial<BrandDraft>) => setDraft((before) => ({ ...before, ...part }))
  const save = useMutation({
    mutationFn: async () => {
      const fields = {
        ...draft,
        hosts: splitHosts(draft.hosts),
        accent: draft.accent.trim(),
        downloads: parseDownloads(draft.downloads) ?? [],
      }
      if (brand) await call(operator.updateBrand, { ...fields, id: brand.id }, { noNotice: true })
      else await call(operator.createBrand, fields, { noNotice: true })
    },
    onSuccess: () => {
      showToast(t.saved)
      onClose()
    },
    onSettled: () => queries.invalidateQueries({ queryKey: operatorKey }),
  })

  function submit(): void {
    const found = checkBrand(draft, t)
    setProblems(found)
    if (Object.keys(found).length === 0) save.mutate()
  }

  return (
    <Dialog
      title={brand ? t.change(brand.platformName[lang]) : t.create}
      width={880}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{app.cancel}</Button>
          <Button kind="primary" busy={save.isPending} onClick={submit}>
            {t.save}
          </Button>
        </>
      }
    >
      <div className={css.columns}>
        <div className={css.fields}>
          <Names draft={draft} problems={problems} onChange={change} />
          <Look draft={draft} problems={problems} onChange={change} />
          <Group title={t.mail}>
            <TextField
              label={t.sender}
              type="email"
              value={draft.emailSender}
              onChange={(emailSender) => change({ emailSender })}
            />
            <TextField
              label={t.signature}
              value={draft.smsSignature}
              onChange={(smsSignature) => change({ smsSignature })}
            />
            <TextField label={t.icp} value={draft.icp} onChange={(icp) => change({ icp })} />
            <TextField
              label={t.visitDomain}
              value={draft.visitDomain}
              spellCheck={false}
              onChange={(visitDomain) => change({ visitDomain: visitDomain.trim().toLowerCase() })}
            />
          </Group>
          <Versions draft={draft} problems={problems} onChange={change} />
          {save.isError && (
            <p role="alert" className={form.failed}>
              {explainField(save.error, t) ?? explain(save.error, lang)}
            </p>
          )}
        </div>
        <BrandPreview draft={draft} />
      </div>
    </Dialog>
  )
}

function draftOf({ id: _, archivedAt: __, hosts, downloads, ...fields }: BrandRow): BrandDraft {
  return { ...fields, hosts: hosts.join('\n'), downloads: writeDownloads(downloads) }
}

function explainField(error: unknown, t: { fieldWrong: (field: string) => string }): string | undefined {
  return error instanceof ApiError && error.field ? t.fieldWrong(error.field) : undefined
}

interface PartProps {
  draft: BrandDraft
  problems: BrandProblems
  onChange: (part: Partial<BrandDraft>) => void
}

function Names({ draft, problems, onChange }: PartProps) {
  const t = useOperatorText().brandForm
  const { platformName } = draft
  return (
    <Group title={t.names}>
      <div className={form.pair}>
        <TextField
          label={t.nameCn}
          value={platformName.cn}
          error={problems.cn}
          onChange={(cn) => onChange({ platformName: { ...platformName, cn } })}
        />
        <TextField
          label={t.nameEn}
          value={platformName.en}
          error={problems.en}
          onChange={(en) => onChange({ platformName: { ...platformName, en } })}
        />
      </div>
      <Lines
        label={t.hosts}
        value={draft.hosts}
        problem={problems.hosts}
        onChange={(hosts) => onChange({ hosts })}
      />
      <div className={form.line}>
        <Switch
          label={t.isDefault}
          checked={draft.isDefault}
          onChange={(isDefault) => onChange({ isDefault })}
        />
        <span aria-hidden="true">{t.isDefault}</span>
      </div>
    </Group>
  )
}

function Look({ draft, problems, onChange }: PartProps) {
  const t = useOperatorText().brandForm
  const pictures = [
    ['logoUrl', t.logo],
    ['logoDarkUrl', t.logoDark],
    ['loginImageUrl', t.loginImage],
    ['faviconUrl', t.favicon],
  ] as const
  return (
    <Group title={t.look}>
      <TextField
        label={t.accent}
        value={draft.accent}
        error={problems.accent}
        placeholder={ownAccent}
        spellCheck={false}
        before={
          <input
            type="color"
            className={css.swatch}
            aria-label={t.pickAccent}
            value={isColour(draft.accent.trim()) ? draft.accent.trim() : ownAccent}
            onChange={(event) => onChange({ accent: event.target.value })}
          />
        }
        onChange={(accent) => onChange({ accent })}
      />
      {pictures.map(([field, label]) => (
        <BrandPicture
          key={field}
          label={label}
          url={draft[field]}
          onChange={(url) => onChange({ [field]: url })}
        />
      ))}
    </Group>
  )
}

function Versions({ draft, problems, onChange }: PartProps) {
  const t = useOperatorText().brandForm
  return (
    <Group title={t.versions}>
      {clients.map((client) => (
        <div key={client} className={form.pair}>
          {bounds.map((bound) => (
            <TextField
              key={bound}
              label={`${t.clients[client]} · ${t[bound]}`}
              value={draft.versions[client][bound]}
              onChange={(version) =>
                onChange({
                  versions: { ...draft.versions, [client]: { ...draft.versions[client], [bound]: version } },
                })
              }
            />
          ))}
        </div>
      ))}
      {problems.versions && <p className={form.wrong}>{problems.versions}</p>}
      <Lines
        label={t.downloads}
        value={draft.downloads}
        problem={problems.downloads}
        onChange={(downloads) => onChange({ downloads })}
      />
    </Group>
  )
}

interface LinesProps {
  label: string
  value: string
  problem: string | undefined
  onChange: (value: string) => void
}

/** Several of a kind, one a line. */
function Lines({ label, value, problem, onChange }: LinesProps) {
  const id = useId()
  return (
    <div className={form.field}>
      <label className={form.label} htmlFor={id}>
        {label}
      </label>
      <textarea
        id={id}
        className={form.area}
        rows={2}
        spellCheck={false}
        value={value}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? `${id}-problem` : undefined}
        onChange={(event) => onChange(event.target.value)}
      />
      {problem && (
        <p id={`${id}-problem`} className={form.wrong}>
          {problem}
        </p>
      )}
    </div>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={form.group}>
      <h3>{title}</h3>
      {children}
    </section>
  )
}

import { type AnswerOf, isColour, operator } from '@busbar/contract'
import type { ReactNode } from 'react'
import { call } from '../../shared/api/client.ts'
import { useLang } from '../../shared/i18n/index.ts'
import { TextField } from '../../shared/ui/field.tsx'
import { TextArea } from '../../shared/ui/fields/text-area.tsx'
import { FormDialog } from '../../shared/ui/form/form-dialog.tsx'
import { type Form, useForm } from '../../shared/ui/form/use-form.ts'
import { FieldError } from '../../shared/ui/kit/field-error.tsx'
import { Stack } from '../../shared/ui/layout/layout.tsx'
import { Switch } from '../../shared/ui/switch.tsx'
import {
  type BrandDraft,
  brandNames,
  checkBrand,
  freshBrand,
  toBrandDraft,
  toBrandFields,
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

/** Sets up a brand or changes one, with a preview beside it. */
export function BrandForm({ brand, onClose }: { brand: BrandRow | undefined; onClose: () => void }) {
  const t = useOperatorText().brandForm
  const lang = useLang()
  const draft = useForm<BrandDraft>({
    route: brand ? operator.updateBrand : operator.createBrand,
    initial: brand ? draftOf(brand) : freshBrand,
    names: brandNames,
    words: { cn: { required: t.nameMissing }, en: { required: t.nameMissing } },
    check: (typed) => checkBrand(typed, t),
    send: async (typed) => {
      const fields = toBrandFields(typed)
      if (brand) await call(operator.updateBrand, { ...fields, id: brand.id })
      else await call(operator.createBrand, fields)
    },
    errorFields: {
      BRAND_HOST_TAKEN: 'hosts',
      ACCENT_UNREADABLE: 'accent',
      VISIT_DOMAIN_UNFIT: 'visitDomain',
    },
    explain: (error) => error.field && t.fieldWrong(error.field),
    done: t.saved,
    touched: [operatorKey],
    onSent: onClose,
  })

  return (
    <FormDialog
      title={brand ? t.change(brand.platformName[lang]) : t.create}
      width={880}
      submit={t.save}
      form={draft}
      onClose={onClose}
    >
      <div className={css.columns}>
        <Stack gap={24} shrinks>
          <Names draft={draft} />
          <Look draft={draft} />
          <Group title={t.mail}>
            <TextField label={t.sender} type="email" {...draft.text('emailSender')} />
            <TextField label={t.signature} {...draft.text('smsSignature')} />
            <TextField label={t.icp} {...draft.text('icp')} />
            <TextField
              label={t.visitDomain}
              spellCheck={false}
              {...draft.text('visitDomain')}
              onChange={(typed) => draft.set('visitDomain', typed.trim().toLowerCase())}
            />
          </Group>
          <Versions draft={draft} />
        </Stack>
        <BrandPreview draft={draft.values} />
      </div>
    </FormDialog>
  )
}

function draftOf({ id: _, archivedAt: __, ...fields }: BrandRow): BrandDraft {
  return toBrandDraft(fields)
}

interface PartProps {
  draft: Form<BrandDraft>
}

function Names({ draft }: PartProps) {
  const t = useOperatorText().brandForm
  return (
    <Group title={t.names}>
      <div className={form.pair}>
        <TextField label={t.nameCn} {...draft.text('cn')} />
        <TextField label={t.nameEn} {...draft.text('en')} />
      </div>
      <TextArea label={t.hosts} rows={2} spellCheck={false} {...draft.text('hosts')} />
      <div className={form.line}>
        <Switch
          label={t.isDefault}
          checked={draft.values.isDefault}
          onChange={(isDefault) => draft.set('isDefault', isDefault)}
        />
        <span aria-hidden="true">{t.isDefault}</span>
      </div>
    </Group>
  )
}

function Look({ draft }: PartProps) {
  const t = useOperatorText().brandForm
  const accent = draft.values.accent.trim()
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
        placeholder={ownAccent}
        spellCheck={false}
        before={
          <input
            type="color"
            className={css.swatch}
            aria-label={t.pickAccent}
            value={isColour(accent) ? accent : ownAccent}
            onChange={(event) => draft.set('accent', event.target.value)}
          />
        }
        {...draft.text('accent')}
      />
      {pictures.map(([field, label]) => (
        <BrandPicture
          key={field}
          label={label}
          url={draft.values[field]}
          onChange={(url) => draft.set(field, url)}
        />
      ))}
    </Group>
  )
}

function Versions({ draft }: PartProps) {
  const t = useOperatorText().brandForm
  const { versions } = draft.values
  return (
    <Group title={t.versions}>
      {clients.map((client) => (
        <div key={client} className={form.pair}>
          {bounds.map((bound) => (
            <TextField
              key={bound}
              label={`${t.clients[client]} · ${t[bound]}`}
              name="versions"
              value={versions[client][bound]}
              onChange={(version) =>
                draft.set('versions', { ...versions, [client]: { ...versions[client], [bound]: version } })
              }
            />
          ))}
        </div>
      ))}
      {draft.problems.versions && <FieldError>{draft.problems.versions}</FieldError>}
      <TextArea label={t.downloads} rows={2} spellCheck={false} {...draft.text('downloads')} />
    </Group>
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

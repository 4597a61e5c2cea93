import { smsStock } from '@busbar/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../shared/api/client.ts'
import { useLang } from '../../shared/i18n/index.ts'
import css from '../../shared/ui/dialogs/form.module.css'
import { TextField } from '../../shared/ui/field.tsx'
import { SelectField } from '../../shared/ui/fields/choice-fields.tsx'
import { FormDialog } from '../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../shared/ui/form/use-form.ts'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { everyBrandQuery, operatorKey, smsTemplatesQuery } from './operator-queries.ts'
import { useOperatorText } from './operator-text.ts'

const languages = ['cn', 'en'] as const
const fields = languages.flatMap((lang) => smsStock.smsPurposes.map((purpose) => ({ lang, purpose })))
const nameOf = ({ lang, purpose }: Pick<smsStock.SmsTemplate, 'lang' | 'purpose'>) =>
  `${lang} ${purpose}` as const

/** The templates by which an SMS service knows the texts of a brand. */
export function SmsTemplatesDialog({ onClose }: { onClose: () => void }) {
  const lang = useLang()
  const t = useOperatorText().sms.templates
  const { data: brands } = useQuery(everyBrandQuery)
  const { data: templates } = useQuery(smsTemplatesQuery)
  const [chosen, choose] = useState<number>()
  const brand = brands?.list.find(({ id }) => id === chosen) ?? brands?.list[0]
  if (!brand || !templates) return <Skeleton height={40} />
  return (
    <Templates
      key={brand.id}
      brandId={brand.id}
      templates={templates}
      onClose={onClose}
      lead={
        <SelectField
          label={t.brand}
          value={brand.id}
          options={(brands?.list ?? []).map(({ id, platformName }) => ({
            value: id,
            label: platformName[lang],
          }))}
          onChange={choose}
        />
      }
    />
  )
}

interface TemplatesProps {
  brandId: number
  templates: readonly smsStock.SmsTemplate[]
  lead: React.ReactNode
  onClose: () => void
}

function Templates({ brandId, templates, lead, onClose }: TemplatesProps) {
  const t = useOperatorText().sms.templates
  const client = useQueryClient()
  const stored = (of: (typeof fields)[number]) =>
    templates.find((row) => row.brandId === brandId && nameOf(row) === nameOf(of))?.template ?? ''
  const form = useForm({
    initial: Object.fromEntries(fields.map((of) => [nameOf(of), stored(of)])) as Record<
      ReturnType<typeof nameOf>,
      string
    >,
    check: (values) =>
      Object.fromEntries(
        fields.map((of) => [
          nameOf(of),
          /^[\w.-]{0,64}$/.test(values[nameOf(of)].trim()) ? undefined : t.wrong,
        ]),
      ),
    send: async (values) => {
      for (const of of fields) {
        const template = values[nameOf(of)].trim()
        if (template !== stored(of)) await call(smsStock.putSmsTemplate, { brandId, ...of, template })
      }
      await client.invalidateQueries({ queryKey: operatorKey })
    },
    done: () => t.saved,
    touched: [operatorKey],
    onSent: onClose,
  })
  return (
    <FormDialog title={t.title} submit={t.save} form={form} width={520} onClose={onClose}>
      <p className={css.hint}>{t.lead}</p>
      {lead}
      {fields.map((of) => (
        <TextField
          key={nameOf(of)}
          label={t.field(t.langs[of.lang], t.purposes[of.purpose])}
          {...form.text(nameOf(of))}
        />
      ))}
    </FormDialog>
  )
}

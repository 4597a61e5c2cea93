import { type AnswerOf, operator } from '@busbar/contract'
import type { ReactNode } from 'react'
import { useLang } from '../../shared/i18n/index.ts'
import { calls } from '../../shared/resource/acts.tsx'
import { Tag } from '../../shared/ui/tag.tsx'
import { BrandForm } from './brand-form.tsx'
import { OperatorList, operatorPages } from './operator-list.tsx'
import { useOperatorText } from './operator-text.ts'

type BrandRow = AnswerOf<typeof operator.listBrands>['list'][number]

const idOf = ({ id }: BrandRow) => ({ id })

/** The brands of the product by host. */
export function BrandsSection(): ReactNode {
  const all = useOperatorText()
  const t = all.brands
  const lang = useLang()
  const nameOf = ({ platformName }: BrandRow) => platformName[lang]
  const hostsOf = (brands: readonly BrandRow[]) =>
    brands.flatMap(({ hosts }) => hosts).join(', ') || t.noHosts
  const dialog = (close: () => void, brand?: BrandRow) => <BrandForm brand={brand} onClose={close} />
  return (
    <OperatorList
      id="operator.brands"
      title={all.parts.brands}
      lead={t.lead}
      rows={operatorPages(operator.listBrands, {})}
      rowKey="id"
      titles={t.columns}
      columns={{
        brand: {
          kind: 'name',
          value: nameOf,
          minor: ({ platformName }) => platformName[lang === 'cn' ? 'en' : 'cn'],
          tags: ({ isDefault, archivedAt }) => (
            <>
              {isDefault && <Tag>{t.default}</Tag>}
              {archivedAt !== null && <Tag>{t.archived}</Tag>}
            </>
          ),
        },
        hosts: { kind: 'text', value: (brand) => hostsOf([brand]), grow: 1.6, rank: 2, card: 'plain' },
        versions: { kind: 'text', value: ({ versions }) => versions.pc.latest, width: 100, grow: 0, rank: 4 },
        sender: {
          kind: 'text',
          value: ({ emailSender }) => emailSender || t.ownSender,
          rank: 3,
          card: 'plain',
        },
      }}
      filters={{ only: { title: t.columns.brand, choices: t.filters, first: 'used' } }}
      search={t.search}
      add={{ label: t.add, opens: dialog }}
      opens={dialog}
      acts={[
        { label: t.edit, opens: dialog },
        {
          ...calls(operator.archiveBrand, idOf),
          label: t.archive,
          fits: ({ archivedAt, isDefault }) => archivedAt === null && !isDefault,
          asks: {
            title: (brand) => t.confirmArchive(nameOf(brand)),
            many: (count) => all.bulk(t.archive, count),
            body: (brands) => t.confirmArchiveBody(hostsOf(brands)),
          },
          done: all.done,
        },
        {
          ...calls(operator.unarchiveBrand, idOf),
          label: t.unarchive,
          danger: false,
          fits: ({ archivedAt }) => archivedAt !== null,
          asks: {
            title: (brand) => t.confirmUnarchive(nameOf(brand)),
            many: (count) => all.bulk(t.unarchive, count),
            body: (brands) => t.confirmUnarchiveBody(hostsOf(brands)),
          },
          done: all.done,
        },
      ]}
      empty={{ icon: 'star', title: t.empty }}
    />
  )
}

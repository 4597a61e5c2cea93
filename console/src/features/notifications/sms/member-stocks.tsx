import { smsStock } from '@busbar/contract'
import { useText } from '../../../shared/i18n/index.ts'
import type { Opens } from '../../../shared/resource/acts.tsx'
import { List } from '../../../shared/resource/list.tsx'
import { pages } from '../../../shared/resource/rows.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { paging } from '../notification-queries.ts'
import { type MemberStock, TransferDialog } from './transfer-dialog.tsx'

const nameOf = ({ name, accountMasked }: MemberStock) => name || accountMasked

/** The balance of each member; an enterprise allocates to them and reclaims. */
export function MemberStocks({ space }: { space: PageSpace }) {
  const t = useText().notifications.members
  const eid = space.asked.eid ?? 0
  const transfer =
    (direction: smsStock.AllocationAct): Opens<MemberStock> =>
    (close, member) => <TransferDialog {...{ eid, member, direction }} onClose={close} />
  return (
    <List
      id="notifications.members"
      title={t.title}
      lead={t.lead}
      rows={pages(
        smsStock.listMemberStocks,
        { eid },
        { ...paging, rowOf: (row, { stock }): MemberStock => ({ ...row, enterpriseStock: stock }) },
      )}
      rowKey="userId"
      titles={{ ...t.columns, createTime: t.columns.at }}
      columns={{
        member: { kind: 'name', value: nameOf, minor: ({ accountMasked }) => accountMasked, grow: 2 },
        stock: { kind: 'count', value: 'stock', grow: 0.5, rank: 2 },
        allocated: { kind: 'count', value: 'allocated', grow: 0.5, rank: 4 },
        used: { kind: 'count', value: 'used', grow: 0.5, rank: 3 },
        createTime: { kind: 'time', value: 'createTime', rank: 6, card: 'none' },
      }}
      search={t.search}
      isExported
      acts={[
        {
          label: t.give,
          of: (member) => t.giveTo(nameOf(member)),
          isOff: ({ enterpriseStock }) => enterpriseStock === 0,
          opens: transfer('give'),
        },
        {
          label: t.reclaim,
          of: (member) => t.reclaimFrom(nameOf(member)),
          isOff: ({ stock }) => stock === 0,
          opens: transfer('takeBack'),
        },
      ]}
      empty={{ icon: 'group', title: t.empty, hint: t.emptyHint }}
    />
  )
}

const rateAverage = ['平均', 'The average'] as const
const rateHighest = ['最高', 'The highest'] as const
const rateHighestAt = ['最高值所在时段的开始', 'When the span with the highest began'] as const
const raisedOfAlarm = ['该报警的发生次数', 'How often this alarm was raised'] as const
const fromOfDay = ['该日的开始', 'When the day begins'] as const
const raisedOfDay = ['该日的发生次数', 'How often alarms were raised on that day'] as const

/** Fields about alarms: in Chinese, and in English; keys as in people-fields.ts. */
export const alarmFields = {
  'byDay.from': fromOfDay,
  'byDay.raised': raisedOfDay,
  'byLevel.critical': ['紧急', 'Critical ones'],
  'byLevel.major': ['重要', 'Major ones'],
  'byLevel.minor': ['次要', 'Minor ones'],
  'byLevel.info': ['提示', 'For information'],
  'byLevel.raised': ['该级别的发生次数', 'How often alarms of this level were raised'],
  'quality.byLevel': ['各级别的发生次数', 'How often alarms of each level were raised'],
  'chattering.peak': ['一分钟内最多的发生次数', 'The most raisings within a minute'],
  'chattering.raised': raisedOfAlarm,
  chatteringCount: ['抖动报警的个数', 'How many alarms chatter'],
  'floods.from': ['开始时间', 'When it began'],
  'floods.peak': ['十分钟内最多的发生次数', 'The most raisings within ten minutes'],
  'floods.raised': ['期间的发生次数', 'How often alarms were raised in it'],
  'floods.to': ['结束时间', 'When it ended'],
  floodsCount: ['报警泛滥的次数', 'How many floods there were'],
  'journal.at': ['发生时间', 'When it happened'],
  'journal.kind': ['事件类型', 'The kind of the event'],
  'journal.note': ['备注', 'The note of the person'],
  limit: ['限值', 'The limit'],
  'confirm.note': ['备注', 'A note beside the acknowledgement'],
  outOfService: ['是否已停用', 'Whether it is out of service'],
  'outOfService.reason': ['停用的原因', 'Why'],
  perDay: ['每天的报警数', 'Alarms a day'],
  'perDay.average': rateAverage,
  'perDay.highest': rateHighest,
  'perDay.highestAt': rateHighestAt,
  perTenMinutes: ['每十分钟的报警数', 'Alarms in ten minutes'],
  'perTenMinutes.average': rateAverage,
  'perTenMinutes.highest': rateHighest,
  'perTenMinutes.highestAt': rateHighestAt,
  'quality.from': ['时段的开始', 'When the period begins'],
  'quality.to': ['时段的结束', 'When the period ends'],
  ruleId: ['规则 ID', 'The rule’s id'],
  scope: ['涵盖范围', 'What is covered'],
  'shelve.at': ['开始时间', 'When it began'],
  'shelve.kind': [
    'shelved 搁置，outOfService 停用',
    'shelved: for a while; outOfService: until somebody ends it',
  ],
  'shelve.reason': ['原因', 'Why'],
  'shelves.at': ['开始时间', 'When it began'],
  'shelves.kind': [
    'shelved 搁置，outOfService 停用',
    'shelved: for a while; outOfService: until somebody ends it',
  ],
  'shelves.reason': ['原因', 'Why'],
  shelveReason: ['搁置或停用的原因', 'Why it is shelved or out of service'],
  shelvedBy: ['谁搁置或停用的', 'The person who shelved it or took it out of service'],
  stage: ['ISA-18.2 状态', 'The state by ISA-18.2'],
  standingCount: ['长期未恢复报警的个数', 'How many alarms stand too long'],
  'topMachines.raised': ['发生次数', 'How often its alarms were raised'],
  'worst.percent': ['占全部发生次数的百分比', 'The part of all raisings'],
  'worst.raised': raisedOfAlarm,
} as const

import { z } from 'zod'
import { leavingMark, requestForPerson } from './account-fields.ts'
import { id, instant, nothing, page, paged, pageSize, shortText } from './fields.ts'
import { limits } from './limits.ts'
import { memberRights, route } from './route.ts'

const role = z.enum(['owner', 'admin', 'member'])
const rights = z.array(z.enum(memberRights)).max(memberRights.length)

/** The purposes of a team: to manage the enterprise's machines, or to maintain those of customers. */
export const teamKinds = ['manage', 'maintain'] as const
export type TeamKind = (typeof teamKinds)[number]

const member = z.object({
  userId: id,
  name: z.string(),
  accountMasked: z.string(),
  role,
  rights,
  lastSeen: instant.nullable(),
  leaving: leavingMark,
})
export type Member = z.output<typeof member>

export const listMembers = route({
  method: 'GET',
  path: '/api/enterprises/v1/:eid/members',
  who: { ent: 'member', eid: 'eid' },
  title: { cn: '企业成员', en: 'List the members of an enterprise' },
  request: z.object({ eid: id, page, pageSize: pageSize(50, 500), search: z.string().max(254).optional() }),
  answer: paged(member),
  errors: [],
})

export const inviteMember = route({
  method: 'POST',
  path: '/api/enterprises/v1/:eid/members',
  who: { ent: 'admin', eid: 'eid' },
  limits: ['asks'],
  title: { cn: '邀请成员', en: 'Invite a member' },
  request: requestForPerson({
    eid: id,
    role: role.default('member'),
    rights: rights.default(['view']),
  }),
  answer: z.object({ userId: id }),
  errors: ['01010304', 'ALREADY_MEMBER', 'ALREADY_INVITED', 'OWNER_ONLY', 'MEMBERS_FULL'],
})

export const updateMember = route({
  method: 'PUT',
  path: '/api/enterprises/v1/:eid/members/:userId',
  who: { ent: 'admin', eid: 'eid' },
  title: { cn: '修改成员角色与权限', en: 'Change a member’s role and permissions' },
  request: z.object({ eid: id, userId: id, role: role.optional(), rights: rights.optional() }),
  answer: nothing,
  errors: ['404', 'OWNER_ONLY', 'LAST_OWNER'],
})

/** By an administrator; every member may give up their own membership. */
export const removeMember = route({
  method: 'DELETE',
  path: '/api/enterprises/v1/:eid/members/:userId',
  who: { ent: 'admin', eid: 'eid', self: 'userId' },
  title: { cn: '移除成员或退出企业', en: 'Remove a member or leave the enterprise' },
  request: z.object({ eid: id, userId: id }),
  answer: nothing,
  errors: ['404', 'OWNER_ONLY', 'LAST_OWNER'],
})

const invitation = z.object({
  id,
  eid: id,
  enterprise: z.string(),
  invitedBy: z.string(),
  role,
  rights,
  at: instant,
})
export type Invitation = z.output<typeof invitation>

export const listInvitations = route({
  method: 'GET',
  path: '/api/user/v1/invitations',
  who: 'user',
  title: { cn: '收到的企业邀请', en: 'List your pending invitations' },
  request: nothing,
  answer: z.array(invitation),
  errors: [],
})

export const answerInvitation = route({
  method: 'PUT',
  path: '/api/user/v1/invitations/:id',
  who: 'user',
  title: { cn: '接受或拒绝邀请', en: 'Accept or decline an invitation' },
  request: z.object({ id, action: z.enum(['accept', 'decline']) }),
  answer: z.object({ eid: id.optional() }),
  errors: ['INVITATION_GONE', 'MEMBERS_FULL'],
})

/** The open invitations of an enterprise; for its administrators. */
export const listSentInvitations = route({
  method: 'GET',
  path: '/api/enterprises/v1/:eid/invitations',
  who: { ent: 'admin', eid: 'eid' },
  title: { cn: '待接受的邀请', en: 'List the pending invitations of an enterprise' },
  request: z.object({ eid: id }),
  answer: z.array(
    z.object({
      id,
      name: z.string(),
      accountMasked: z.string(),
      role,
      rights,
      invitedBy: z.string(),
      at: instant,
    }),
  ),
  errors: [],
})

/** Changes an invitation that was not answered: the person gets the new role and rights once they accept. */
export const updateInvitation = route({
  method: 'PUT',
  path: '/api/enterprises/v1/:eid/invitations/:id',
  who: { ent: 'admin', eid: 'eid' },
  limits: ['asks'],
  title: { cn: '修改邀请的角色与权限', en: 'Change the role and permissions of an invitation' },
  request: z.object({ eid: id, id, role, rights }),
  answer: nothing,
  errors: ['404', 'OWNER_ONLY'],
})

export const removeInvitation = route({
  method: 'DELETE',
  path: '/api/enterprises/v1/:eid/invitations/:id',
  who: { ent: 'admin', eid: 'eid' },
  title: { cn: '撤回邀请', en: 'Withdraw an invitation' },
  request: z.object({ eid: id, id }),
  answer: nothing,
  errors: ['404'],
})

const teamMember = z.object({ userId: id, name: z.string(), phoneMasked: z.string(), role })

export const listManagementMembers = route({
  method: 'POST',
  path: '/eapi/web/c/managerteam/members',
  who: { ent: 'member', eid: 'eid' },
  title: { cn: '管理团队成员', en: 'List the members of the management teams' },
  request: z.object({ eid: id, teamId: id.optional() }),
  answer: z.array(teamMember),
  errors: [],
})

export const listMaintenanceMembers = route({
  method: 'POST',
  path: '/eapi/ent/c/manager/maintain/getteammember',
  aliases: ['/eapi/ent/c/maintain/getteammember'],
  who: { ent: 'member', eid: 'eid' },
  title: { cn: '维保团队成员', en: 'List the members of the maintenance teams' },
  request: z.object({ eid: id }),
  answer: z.array(teamMember),
  errors: [],
})

const team = z.object({
  id,
  name: z.string(),
  kind: z.enum(teamKinds),
  members: z.array(teamMember),
  machines: z.array(z.object({ machineId: id, name: z.string(), machineCode: z.string() })),
})
export type Team = z.output<typeof team>

export const listTeams = route({
  method: 'GET',
  path: '/api/enterprises/v1/:eid/teams',
  who: { ent: 'member', eid: 'eid' },
  title: { cn: '企业团队', en: 'List the teams of an enterprise' },
  request: z.object({ eid: id }),
  answer: z.array(team),
  errors: [],
})

const teamFields = {
  name: shortText(1, limits.teamNameMax),
  memberIds: z.array(id).max(limits.teamMembersMax),
  machineIds: z.array(id).max(limits.machinesPerList),
}

export const createTeam = route({
  method: 'POST',
  path: '/api/enterprises/v1/:eid/teams',
  who: { ent: 'admin', eid: 'eid' },
  title: { cn: '新建团队', en: 'Create a team' },
  request: z.object({
    eid: id,
    kind: z.enum(teamKinds),
    name: teamFields.name,
    memberIds: teamFields.memberIds.default([]),
    machineIds: teamFields.machineIds.default([]),
  }),
  answer: z.object({ id }),
  errors: ['TEAM_NAME_TAKEN', 'TEAM_FOREIGN', 'TEAMS_FULL'],
})

export const updateTeam = route({
  method: 'PUT',
  path: '/api/enterprises/v1/:eid/teams/:id',
  who: { ent: 'admin', eid: 'eid' },
  title: { cn: '修改团队', en: 'Edit a team' },
  request: z.object({
    eid: id,
    id,
    name: teamFields.name.optional(),
    memberIds: teamFields.memberIds.optional(),
    machineIds: teamFields.machineIds.optional(),
  }),
  answer: nothing,
  errors: ['404', 'TEAM_NAME_TAKEN', 'TEAM_FOREIGN'],
})

export const removeTeam = route({
  method: 'DELETE',
  path: '/api/enterprises/v1/:eid/teams/:id',
  who: { ent: 'admin', eid: 'eid' },
  title: { cn: '删除团队', en: 'Delete a team' },
  request: z.object({ eid: id, id }),
  answer: nothing,
  errors: ['404'],
})

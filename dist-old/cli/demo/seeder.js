import { ConflictError, } from 'teamspaces-client';
import { importFolder } from 'teamspaces-markdown';
const TEAM = '/teams/{team_slug}';
const WORKSPACES = `${TEAM}/workspaces`;
const WORKSPACE = `${WORKSPACES}/{workspace_slug}`;
/** Creates the missing parts of the demo, each as the person whom it belongs to. */
export class Seeder {
    people;
    folder;
    as;
    report;
    /**
     * @param folder has a folder for each team, with a folder of Markdown files for each workspace
     * @param as the client of a person, by name
     * @param report called with a sentence for each created part
     */
    constructor(people, folder, as, report) {
        this.people = people;
        this.folder = folder;
        this.as = as;
        this.report = report;
    }
    /**
     * Creates the missing parts of a team. Existing parts are not changed, even if people have edited
     * them.
     * @throws Error if somebody else has the team, or TeamspacesError
     */
    async seed(team) {
        await this.createTeam(team);
        await this.addMembers(team);
        for (const workspace of team.workspaces) {
            await this.createWorkspace(team.slug, workspace);
            await this.addWorkspaceMembers(team.slug, workspace);
            const { pages } = await importFolder(this.as(workspace.creator), {
                team: team.slug,
                workspace: workspace.slug,
                folder: `${this.folder}/${team.slug}/${workspace.slug}`,
            });
            if (pages === 0)
                continue;
            this.report(`Wrote the content of ${workspace.name}.`);
            if (workspace.deleted)
                await this.deleteCollection(team.slug, workspace, workspace.deleted);
        }
    }
    async createTeam(team) {
        const { owner, members, invites, workspaces, ...body } = team;
        const { name, slug } = body;
        const api = this.as(owner);
        if ((await api.GET('/teams')).some(({ meta }) => meta.slug === slug))
            return;
        try {
            await api.POST('/teams', { body });
        }
        catch (error) {
            if (!(error instanceof ConflictError))
                throw error;
            throw new Error(`The team ${slug} belongs to somebody else: the demo cannot be created.`);
        }
        this.report(`Created the team ${name}.`);
    }
    async addMembers({ name, slug, owner, members, invites }) {
        const team = { params: { path: { team_slug: slug } } };
        const api = this.as(owner);
        const invite = (email, role) => api.POST(`${TEAM}/invites`, { ...team, body: { invites: [{ email, role }] } });
        const { users } = await api.GET(`${TEAM}/members`, team);
        const known = new Set(users.map(({ email }) => email));
        for (const [person, role] of Object.entries(members)) {
            if (known.has(this.emailOf(person)))
                continue;
            const sent = await invite(this.emailOf(person), role);
            const path = { invite_id: sent.users[0]?._id ?? '' };
            await this.as(person).POST('/invites/{invite_id}/accept', { params: { path } });
            this.report(`${person} is in ${name}, as ${role}.`);
        }
        const sent = await api.GET(`${TEAM}/invites`, team);
        for (const { email, expires } of sent.users) {
            if (Date.parse(expires) > Date.now())
                known.add(email);
        }
        for (const [email, role] of Object.entries(invites)) {
            if (known.has(email))
                continue;
            await invite(email, role);
            this.report(`Invited ${email} to ${name}, as ${role}.`);
        }
    }
    async createWorkspace(team, workspace) {
        const { creator, slug, members, deleted, ...body } = workspace;
        const path = { team_slug: team };
        const api = this.as(creator);
        const visible = await api.GET(WORKSPACES, { params: { path } });
        if (visible.some(({ meta }) => meta.slug === slug))
            return;
        const { meta } = await api.POST(WORKSPACES, { params: { path }, body });
        if (meta.slug !== slug) {
            await api.DELETE(WORKSPACE, { params: { path: { ...path, workspace_slug: meta.slug } } });
            throw new Error(`The workspace ${slug} of ${team} exists, but is hidden from ${creator}: add ${creator} to it, or delete it.`);
        }
        this.report(`Made the ${body.visibility} workspace ${body.name}.`);
    }
    async addWorkspaceMembers(team, workspace) {
        const { name, slug, creator, members } = workspace;
        const params = { path: { team_slug: team, workspace_slug: slug } };
        const api = this.as(creator);
        const { users } = await api.GET(`${WORKSPACE}/members`, { params });
        for (const [person, role] of Object.entries(members)) {
            const email = this.emailOf(person);
            if (users.some((user) => user.email === email))
                continue;
            await api.POST(`${WORKSPACE}/members`, { params, body: [{ email, role }] });
            this.report(`${person} is ${role} of ${name}.`);
        }
    }
    async deleteCollection(team, { slug, creator, name: workspace }, name) {
        const path = { team_slug: team, workspace_slug: slug };
        const api = this.as(creator);
        const pages = ['A folding bike', 'A bike for two'];
        const children = pages.map((page) => ({ name: page, object: 'item' }));
        const body = { items: [{ name, children }] };
        const [collection] = await api.POST(`${WORKSPACE}/collections/batch`, {
            params: { path },
            body,
        });
        const id = collection?.id ?? '';
        await api.DELETE(`${WORKSPACE}/collections/{id}`, { params: { path: { ...path, id } } });
        this.report(`Deleted ${name} from ${workspace}: it can be restored.`);
    }
    emailOf = (person) => this.people[person]?.email ?? '';
}
//# sourceMappingURL=seeder.js.map
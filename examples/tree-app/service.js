/** The operations of the API that the page needs. */
export class Service {
  /** @param place the fields of the form: service, team, workspace, token */
  constructor({ service, team, workspace, token }) {
    const place = `/teams/${encodeURIComponent(team)}/workspaces/${encodeURIComponent(workspace)}`;
    this.collections = `${service.replace(/\/$/, '')}${place}/collections`;
    this.token = token;
  }

  /** @throws Error with the message of the service and the status of the response */
  async request(method, path, { body, signal } = {}) {
    const headers = { authorization: `Bearer ${this.token}` };
    if (body) headers['content-type'] = 'application/json';
    // A retry of a POST, by a proxy for example, has no further effect.
    if (method === 'POST') headers['idempotency-key'] = crypto.randomUUID();
    const init = { method, headers, signal, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(this.collections + path, init);
    const answer = await response.json();
    if (response.ok) return answer;
    throw Object.assign(new Error(answer.error.message), { status: response.status });
  }

  /** The current parent is sent as well: 409 if somebody has moved the item elsewhere meanwhile. */
  move({ id, parent }, { index, newParent }) {
    return this.request('POST', '/reorder', {
      body: { id, index, parent: parent ?? null, newParent },
    });
  }

  rename(id, name) {
    return this.request('PUT', `/${id}`, { body: { name } });
  }
}

/**
 * Keeps `items` equal to the workspace until the signal aborts: the first pages of the feed are the whole
 * workspace, and each request after them waits until something changes.
 */
export async function follow(service, items, { signal, onChange, onStatus }) {
  let cursor = null;
  for (;;) {
    const after = cursor === null ? '' : `&wait=25&cursor=${encodeURIComponent(cursor)}`;
    try {
      const page = await service.request('GET', `/changes?limit=1000${after}`, { signal });
      for (const { id, deleted, item } of page.changes) {
        if (deleted) items.delete(id);
        else items.set(id, item);
      }
      if (cursor === null && !page.more) onStatus('Live.');
      cursor = page.cursor;
      if (!page.more) onChange();
    } catch (error) {
      if (signal.aborted || [400, 401, 403, 404].includes(error.status)) throw error;
      // The cursor is too old: read everything again.
      if (error.status === 409) {
        cursor = null;
        items.clear();
      } else {
        onStatus('Connection lost; trying again …');
        await new Promise((resolve) => setTimeout(resolve, 2000));
      }
    }
  }
}

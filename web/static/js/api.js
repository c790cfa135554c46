// Requests to our own server. Every failure becomes one sentence that the person can read.
import { toast } from "./dom.js";

async function answer(response) {
  const data = await response.json().catch(() => null);
  if (response.ok) return data;
  throw new Error(data?.error?.message ?? "The table's computer did not answer; check the Wi-Fi and try again.");
}

export async function get(path) {
  return answer(await fetch(path, { headers: { Accept: "application/json" } }).catch(offline));
}

export async function post(path, data = {}) {
  const headers = { "Content-Type": "application/json", Accept: "application/json" };
  return answer(await fetch(path, { method: "POST", headers, body: JSON.stringify(data) }).catch(offline));
}

export async function upload(path, file, fields = {}) {
  const form = new FormData();
  form.append("photo", file, file.name || "photo.jpg");
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return answer(
    await fetch(path, { method: "POST", headers: { Accept: "application/json" }, body: form }).catch(offline),
  );
}

function offline() {
  throw new Error("The table's computer cannot be reached; check the Wi-Fi. Nothing is lost.");
}

// Runs something a person asked for, and says so where it fails.
export async function attempt(task) {
  try {
    return await task();
  } catch (problem) {
    toast(problem.message);
    return undefined;
  }
}

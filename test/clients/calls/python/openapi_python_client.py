"""The calls of expected-calls.ts with the client of openapi-python-client."""

import io
import os
from datetime import datetime, timezone

from reelgate_api_client import AuthenticatedClient
from reelgate_api_client.api.account import get_usage
from reelgate_api_client.api.chapters import create_chapter
from reelgate_api_client.api.events import list_events
from reelgate_api_client.api.folders import create_folder, delete_folder, list_folders
from reelgate_api_client.api.imports import (
    cancel_import,
    create_import,
    get_import,
    list_import_lines,
)
from reelgate_api_client.api.posters import get_poster_upload, upload_poster
from reelgate_api_client.api.search import search
from reelgate_api_client.api.videos import get_video, get_video_status, list_videos, update_video
from reelgate_api_client.api.webhooks import create_webhook_endpoint
from reelgate_api_client.models import (
    CreateChapterBody,
    CreateFolderBody,
    CreateImportBody,
    CreateWebhookEndpointBody,
    Error,
    EventTypeName,
    EventVideoReady,
    NewImportLine,
    SubscribableEventType,
    UpdateVideoBody,
    UpdateVideoBodyMetadataType0,
    VideoSort,
)
from reelgate_api_client.types import File

from show import BASE, NAME, PICTURE, SILENT, VIDEO, ended, matches_of, show

client = AuthenticatedClient(base_url=BASE, token=os.environ["API_KEY"])


def refused(call, response):
    assert isinstance(response.parsed, Error), response
    error = response.parsed.error
    show(call, int(response.status_code), error.code, error.type_, error.message != "", error.request_id != "")


videos = list_videos.sync(client=client)
show("listVideos", len(videos.data), videos.has_more, videos.data[0].error.code, videos.data[1].error)
video = get_video.sync(VIDEO, client=client)
show("getVideo", video.status, video.size_bytes > 0, video.resolutions, video.folder_id)
status = get_video_status.sync(VIDEO, client=client)
show("getVideoStatus", status.status, status.duration, status.progress.percent)
show("updateVideo", update_video.sync(VIDEO, client=client, body=UpdateVideoBody(title=NAME)).title)


def with_metadata(values, **others):
    return UpdateVideoBody(metadata=UpdateVideoBodyMetadataType0.from_dict(values), **others)


own = with_metadata({"course": "7", "teacher": "Ada"}, external_id=NAME, tags=["Algebra", "Year 7"])
video = update_video.sync(VIDEO, client=client, body=own)
show("setOwnData", video.external_id, video.tags, video.metadata.to_dict())
video = update_video.sync(VIDEO, client=client, body=with_metadata({"teacher": None}))
show("removeOwnData", video.metadata.to_dict())
found = list_videos.sync(
    client=client,
    external_id=NAME,
    tag=["algebra", "year 7"],
    title="made",
    durationgte=1,
    createdgte=datetime(2020, 1, 1, tzinfo=timezone.utc),
    sort=VideoSort.TITLE,
)
show("findVideos", len(found.data), found.data[0].id, found.next_cursor is not None)
page = list_videos.sync(client=client, sort=VideoSort.TITLE, limit=1)
next_page = list_videos.sync(
    client=client, sort=VideoSort.TITLE, limit=1, starting_after=page.next_cursor
)
differ = page.data[0].id != next_page.data[0].id
show("nextPage", len(page.data), page.has_more, len(next_page.data), next_page.has_more, differ)
moments = search.sync(client=client, q="energy").data
moment = moments[0]
matches = matches_of(moment.snippet)
show("search", len(moments), moment.video.id, moment.caption.language_code, moment.start_seconds, matches)

known = NewImportLine(external_id=NAME, source_url=SILENT)
created = create_import.sync(client=client, body=CreateImportBody(lines=[known], at_once=1))
show("createImport", created.state, created.line_count, created.bucket)
done = ended(lambda: get_import.sync(created.id, client=client))
show("getImport", done.state, done.lines.exists, done.lines.failed)
line = list_import_lines.sync(created.id, client=client).data[0]
show("listImportLines", line.number, line.state, line.external_id, line.video_id, line.error)
silent = CreateImportBody(lines=[NewImportLine(source_url=SILENT)], at_once=1)
cancelled = cancel_import.sync(create_import.sync(client=client, body=silent).id, client=client)
show("cancelImport", cancelled.state, cancelled.lines.cancelled)

poster = upload_poster.sync(VIDEO, client=client, body=File(payload=io.BytesIO(PICTURE)))
show("uploadPoster", poster.status, poster.format_, poster.size_bytes)
poster = get_poster_upload.sync(VIDEO, client=client)
show("getPosterUpload", poster.id, poster.reason)

folder = create_folder.sync(client=client, body=CreateFolderBody(name=NAME))
show("createFolder", folder.name, folder.parent_id)
folders = list_folders.sync(client=client)
show("listFolders", folders.data[0].name, folders.data[0].video_count)
receiver = CreateWebhookEndpointBody(
    url=os.environ["RECEIVER_URL"], events=[SubscribableEventType.VIDEO_READY]
)
endpoint = create_webhook_endpoint.sync(client=client, body=receiver)
show("createWebhookEndpoint", endpoint.is_active, endpoint.disabled_reason, endpoint.secret != "")
event = list_events.sync(client=client, type_=EventTypeName.VIDEO_READY).data[0]
assert isinstance(event, EventVideoReady), event
show("listEvents", event.type_, event.data.id)
usage = get_usage.sync(client=client)
show("getUsage", usage.encoding.minutes, usage.storage.limit_bytes)

stranger = AuthenticatedClient(base_url=BASE, token="rg_live_unknown")
refused("invalid_api_key", list_videos.sync_detailed(client=stranger))
refused("video_not_found", get_video.sync_detailed("0" * 20, client=client))
refused("folder_exists", create_folder.sync_detailed(client=client, body=CreateFolderBody(name=NAME)))
nowhere = UpdateVideoBody(folder_id=999999999)
refused("folder_not_found", update_video.sync_detailed(VIDEO, client=client, body=nowhere))
backwards = CreateChapterBody(title=NAME, start=3, end=2)
refused("invalid_chapter_range", create_chapter.sync_detailed(VIDEO, client=client, body=backwards))
taken = UpdateVideoBody(external_id=NAME)
failed = videos.data[0].id
refused("external_id_taken", update_video.sync_detailed(failed, client=client, body=taken))

deleted = delete_folder.sync(folder.id, client=client)
show("deleteFolder", deleted.id == folder.id, deleted.deleted)

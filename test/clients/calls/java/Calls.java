// The calls of expected-calls.ts with the Java client of OpenAPI Generator.

import com.google.gson.GsonBuilder;
import java.io.File;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.AccountApi;
import org.openapitools.client.api.ChaptersApi;
import org.openapitools.client.api.EventsApi;
import org.openapitools.client.api.FoldersApi;
import org.openapitools.client.api.ImportsApi;
import org.openapitools.client.api.PostersApi;
import org.openapitools.client.api.SearchApi;
import org.openapitools.client.api.VideosApi;
import org.openapitools.client.api.WebhooksApi;
import org.openapitools.client.model.*;

public class Calls {
    private static final String VIDEO = System.getenv("VIDEO_ID");
    private static final String NAME = System.getenv("NAME");

    private interface Call {
        void make() throws ApiException;
    }

    private static void show(String call, Object... result) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("call", call);
        line.put("result", Arrays.asList(result));
        System.out.println(new GsonBuilder().serializeNulls().create().toJson(line));
    }

    private static void refused(String call, Call refused) throws Exception {
        try {
            refused.make();
        } catch (ApiException exception) {
            ErrorDetails error = org.openapitools.client.model.Error.fromJson(exception.getResponseBody()).getError();
            boolean hasMessage = !error.getMessage().isEmpty();
            boolean hasId = !error.getRequestId().isEmpty();
            show(call, exception.getCode(), error.getCode(), error.getType().getValue(), hasMessage, hasId);
        }
    }

    private static ApiClient clientOf(String key) {
        ApiClient client = new ApiClient().setBasePath(System.getenv("API_BASE"));
        client.setBearerToken(key);
        return client;
    }

    public static void main(String[] arguments) throws Exception {
        ApiClient client = clientOf(System.getenv("API_KEY"));
        VideosApi videosApi = new VideosApi(client);
        FoldersApi foldersApi = new FoldersApi(client);
        String failed = readVideos(videosApi);
        useOwnData(videosApi, failed);
        search(client);
        importVideos(new ImportsApi(client));
        setPoster(new PostersApi(client));
        Folder folder = foldersApi.createFolder(new CreateFolderRequest().name(NAME)).execute();
        show("createFolder", folder.getName(), folder.getParentId());
        Folder listed = foldersApi.listFolders().execute().getData().get(0);
        show("listFolders", listed.getName(), listed.getVideoCount());
        readTheRest(client);

        VideosApi stranger = new VideosApi(clientOf("rg_live_unknown"));
        refused("invalid_api_key", () -> stranger.listVideos().execute());
        refused("video_not_found", () -> videosApi.getVideo("0".repeat(20)).execute());
        refused("folder_exists", () -> foldersApi.createFolder(new CreateFolderRequest().name(NAME)).execute());
        refused("folder_not_found", () -> update(videosApi, VIDEO, new UpdateVideoRequest().folderId(999_999_999L)));
        CreateChapterRequest backwards = new CreateChapterRequest().title(NAME).start(3).end(2);
        refused("invalid_chapter_range", () -> new ChaptersApi(client).createChapter(VIDEO, backwards).execute());

        DeletedFolder deleted = foldersApi.deleteFolder(folder.getId()).execute();
        show("deleteFolder", deleted.getId().equals(folder.getId()), deleted.getDeleted());
        System.exit(0);
    }

    private static Video update(VideosApi api, String video, UpdateVideoRequest change) throws ApiException {
        return api.updateVideo(video).updateVideoRequest(change).execute();
    }

    /** Returns the id of the video that has failed. */
    private static String readVideos(VideosApi api) throws ApiException {
        VideoList videos = api.listVideos().execute();
        List<Video> data = videos.getData();
        show("listVideos", data.size(), videos.getHasMore(), data.get(0).getError().getCode(), data.get(1).getError());
        Video video = api.getVideo(VIDEO).execute();
        show("getVideo", video.getStatus().getValue(), video.getSizeBytes() > 0, video.getResolutions(), video.getFolderId());
        VideoStatus status = api.getVideoStatus(VIDEO).execute();
        show("getVideoStatus", status.getStatus().getValue(), status.getDuration(), status.getProgress().getPercent());
        show("updateVideo", update(api, VIDEO, new UpdateVideoRequest().title(NAME)).getTitle());
        return data.get(0).getId();
    }

    private static void useOwnData(VideosApi api, String failed) throws Exception {
        UpdateVideoRequest own = new UpdateVideoRequest()
            .externalId(NAME)
            .tags(List.of("Algebra", "Year 7"))
            .metadata(Map.of("course", "7", "teacher", "Ada"));
        Video owned = update(api, VIDEO, own);
        show("setOwnData", owned.getExternalId(), owned.getTags(), owned.getMetadata());
        Map<String, String> removal = Map.of("teacher", "");
        show("removeOwnData", update(api, VIDEO, new UpdateVideoRequest().metadata(removal)).getMetadata());
        VideoList found = api.listVideos()
            .externalId(NAME)
            .tag(List.of("algebra", "year 7"))
            .title("made")
            .durationGte(1)
            .createdGte(OffsetDateTime.parse("2020-01-01T00:00:00Z"))
            .sort(VideoSort.TITLE)
            .execute();
        show("findVideos", found.getData().size(), found.getData().get(0).getId(), found.getNextCursor() != null);
        VideoList page = api.listVideos().sort(VideoSort.TITLE).limit(1).execute();
        VideoList next = api.listVideos().sort(VideoSort.TITLE).limit(1).startingAfter(page.getNextCursor()).execute();
        boolean differ = !page.getData().get(0).getId().equals(next.getData().get(0).getId());
        show("nextPage", page.getData().size(), page.getHasMore(), next.getData().size(), next.getHasMore(), differ);
        refused("external_id_taken", () -> update(api, failed, new UpdateVideoRequest().externalId(NAME)));
    }

    private static void search(ApiClient client) throws ApiException {
        List<SearchResult> moments = new SearchApi(client).search("energy").execute().getData();
        SearchResult moment = moments.get(0);
        List<String> matches = new ArrayList<>();
        for (SnippetPart part : moment.getSnippet()) if (part.getIsMatch()) matches.add(part.getText());
        String language = moment.getCaption().getLanguageCode();
        show("search", moments.size(), moment.getVideo().getId(), language, moment.getStartSeconds(), matches);
    }

    private static void importVideos(ImportsApi api) throws Exception {
        NewImportLine known = new NewImportLine().externalId(NAME).sourceUrl(System.getenv("SILENT_URL"));
        var created = api.createImport(new CreateImportRequest().addLinesItem(known).atOnce(1)).execute();
        show("createImport", created.getState().getValue(), created.getLineCount(), created.getBucket());
        var done = created;
        while (done.getState() == ImportState.RUNNING) {
            Thread.sleep(500);
            done = api.getImport(created.getId()).execute();
        }
        show("getImport", done.getState().getValue(), done.getLines().getExists(), done.getLines().getFailed());
        ImportLine line = api.listImportLines(created.getId()).execute().getData().get(0);
        String state = line.getState().getValue();
        show("listImportLines", line.getNumber(), state, line.getExternalId(), line.getVideoId(), line.getError());
        NewImportLine silent = new NewImportLine().sourceUrl(System.getenv("SILENT_URL"));
        var waiting = api.createImport(new CreateImportRequest().addLinesItem(silent).atOnce(1)).execute();
        var cancelled = api.cancelImport(waiting.getId()).execute();
        show("cancelImport", cancelled.getState().getValue(), cancelled.getLines().getCancelled());
    }

    private static void setPoster(PostersApi api) throws ApiException {
        PosterUpload poster = api.uploadPoster(VIDEO, new File(System.getenv("PICTURE"))).execute();
        show("uploadPoster", poster.getStatus().getValue(), poster.getFormat().getValue(), poster.getSizeBytes());
        PosterUpload now = api.getPosterUpload(VIDEO).execute();
        show("getPosterUpload", now.getId(), now.getReason());
    }

    private static void readTheRest(ApiClient client) throws ApiException {
        CreateWebhookEndpointRequest receiver = new CreateWebhookEndpointRequest()
            .url(System.getenv("RECEIVER_URL"))
            .events(List.of(SubscribableEventType.VIDEO_READY));
        CreatedWebhookEndpoint endpoint = new WebhooksApi(client).createWebhookEndpoint(receiver).execute();
        show("createWebhookEndpoint", endpoint.getIsActive(), endpoint.getDisabledReason(), !endpoint.getSecret().isEmpty());
        EventList events = new EventsApi(client).listEvents().type(EventTypeName.VIDEO_READY).execute();
        EventVideoReady event = events.getData().get(0).getEventVideoReady();
        show("listEvents", event.getType().getValue(), event.getData().getId());
        Usage usage = new AccountApi(client).getUsage().execute();
        show("getUsage", usage.getEncoding().getMinutes(), usage.getStorage().getLimitBytes());
    }
}

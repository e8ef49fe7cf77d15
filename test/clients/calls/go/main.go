// The calls of expected-calls.ts with the client of oapi-codegen, which is the package `reelgate`.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"

	"reelgate.local/calls/reelgate"
)

var ctx = context.Background()

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func show(call string, result ...any) {
	fmt.Println(string(must(json.Marshal(map[string]any{"call": call, "result": result}))))
}

func refused(call string, response *http.Response, body *reelgate.Error) {
	e := body.Error
	show(call, response.StatusCode, e.Code, e.Type, e.Message != "", e.RequestId != "")
}

func clientOf(key string) *reelgate.ClientWithResponses {
	sign := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+key)
		return nil
	}
	return must(reelgate.NewClientWithResponses(os.Getenv("API_BASE"), reelgate.WithRequestEditorFn(sign)))
}

func main() {
	client := clientOf(os.Getenv("API_KEY"))
	video, name := os.Getenv("VIDEO_ID"), os.Getenv("NAME")
	failed := readVideos(client, video, name)
	useOwnData(client, video, name)
	search(client)
	importVideos(client, name)
	setPoster(client, video)
	folder := makeCalls(client, name)
	makeRefusedCalls(client, video, name, failed)
	deleted := must(client.DeleteFolderWithResponse(ctx, folder, nil)).JSON200
	show("deleteFolder", deleted.Id == folder, deleted.Deleted)
}

func pointer[T any](value T) *T {
	return &value
}

func update(client *reelgate.ClientWithResponses, video string, body reelgate.UpdateVideoJSONRequestBody) *reelgate.Video {
	return must(client.UpdateVideoWithResponse(ctx, video, nil, body)).JSON200
}

// readVideos returns the id of the video that has failed.
func readVideos(client *reelgate.ClientWithResponses, video string, name string) string {
	videos := must(client.ListVideosWithResponse(ctx, &reelgate.ListVideosParams{})).JSON200
	show("listVideos", len(videos.Data), videos.HasMore, videos.Data[0].Error.Code, videos.Data[1].Error)
	one := must(client.GetVideoWithResponse(ctx, video, nil)).JSON200
	show("getVideo", one.Status, one.SizeBytes > 0, one.Resolutions, one.FolderId)
	status := must(client.GetVideoStatusWithResponse(ctx, video)).JSON200
	show("getVideoStatus", status.Status, status.Duration, status.Progress.Percent)
	show("updateVideo", update(client, video, reelgate.UpdateVideoJSONRequestBody{Title: &name}).Title)
	return videos.Data[0].Id
}

func useOwnData(client *reelgate.ClientWithResponses, video string, name string) {
	own := update(client, video, reelgate.UpdateVideoJSONRequestBody{
		ExternalId: &name,
		Tags:       &[]string{"Algebra", "Year 7"},
		Metadata:   &map[string]*string{"course": pointer("7"), "teacher": pointer("Ada")},
	})
	show("setOwnData", own.ExternalId, own.Tags, own.Metadata)
	removal := reelgate.UpdateVideoJSONRequestBody{Metadata: &map[string]*string{"teacher": nil}}
	show("removeOwnData", update(client, video, removal).Metadata)
	find := func(filters reelgate.ListVideosParams) *reelgate.VideoList {
		return must(client.ListVideosWithResponse(ctx, &filters)).JSON200
	}
	byTitle := pointer(reelgate.VideoSort("title"))
	found := find(reelgate.ListVideosParams{
		ExternalId:  &name,
		Tag:         &[]string{"algebra", "year 7"},
		Title:       pointer("made"),
		DurationGte: pointer(1),
		CreatedGte:  pointer(time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)),
		Sort:        byTitle,
	})
	show("findVideos", len(found.Data), found.Data[0].Id, found.NextCursor != nil)
	ofCourse := find(reelgate.ListVideosParams{Metadata: &map[string]string{"course": "7"}})
	show("findVideosByMetadata", len(ofCourse.Data), ofCourse.Data[0].Id)
	page := find(reelgate.ListVideosParams{Sort: byTitle, Limit: pointer(1)})
	next := find(reelgate.ListVideosParams{Sort: byTitle, Limit: pointer(1), StartingAfter: page.NextCursor})
	differ := page.Data[0].Id != next.Data[0].Id
	show("nextPage", len(page.Data), page.HasMore, len(next.Data), next.HasMore, differ)
}

func search(client *reelgate.ClientWithResponses) {
	moments := must(client.SearchWithResponse(ctx, &reelgate.SearchParams{Q: "energy"})).JSON200.Data
	moment := moments[0]
	matches := []string{}
	for _, part := range moment.Snippet {
		if part.IsMatch {
			matches = append(matches, part.Text)
		}
	}
	show("search", len(moments), moment.Video.Id, moment.Caption.LanguageCode, moment.StartSeconds, matches)
}

func importVideos(client *reelgate.ClientWithResponses, name string) {
	begin := func(line reelgate.NewImportLine) *reelgate.Import {
		body := reelgate.CreateImportJSONRequestBody{Lines: []reelgate.NewImportLine{line}, AtOnce: pointer(1)}
		return must(client.CreateImportWithResponse(ctx, nil, body)).JSON202
	}
	silent := pointer(os.Getenv("SILENT_URL"))
	created := begin(reelgate.NewImportLine{ExternalId: &name, SourceUrl: silent})
	show("createImport", created.State, created.LineCount, created.Bucket)
	done := created
	for done.State == "running" {
		time.Sleep(500 * time.Millisecond)
		done = must(client.GetImportWithResponse(ctx, created.Id)).JSON200
	}
	show("getImport", done.State, done.Lines.Exists, done.Lines.Failed)
	lines := must(client.ListImportLinesWithResponse(ctx, created.Id, nil)).JSON200
	line := lines.Data[0]
	show("listImportLines", line.Number, line.State, line.ExternalId, line.VideoId, line.Error)
	waiting := begin(reelgate.NewImportLine{SourceUrl: silent})
	cancelled := must(client.CancelImportWithResponse(ctx, waiting.Id, nil)).JSON200
	show("cancelImport", cancelled.State, cancelled.Lines.Cancelled)
}

func setPoster(client *reelgate.ClientWithResponses, video string) {
	picture := bytes.NewReader(must(os.ReadFile(os.Getenv("PICTURE"))))
	const kind = "application/octet-stream"
	poster := must(client.UploadPosterWithBodyWithResponse(ctx, video, nil, kind, picture)).JSON202
	show("uploadPoster", poster.Status, poster.Format, poster.SizeBytes)
	now := must(client.GetPosterUploadWithResponse(ctx, video)).JSON200
	show("getPosterUpload", now.Id, now.Reason)
}

func makeCalls(client *reelgate.ClientWithResponses, name string) int64 {
	named := reelgate.CreateFolderJSONRequestBody{Name: name}
	folder := must(client.CreateFolderWithResponse(ctx, nil, named)).JSON201
	show("createFolder", folder.Name, folder.ParentId)
	folders := must(client.ListFoldersWithResponse(ctx, &reelgate.ListFoldersParams{})).JSON200
	show("listFolders", folders.Data[0].Name, folders.Data[0].VideoCount)
	receiver := reelgate.CreateWebhookEndpointJSONRequestBody{
		Url:    os.Getenv("RECEIVER_URL"),
		Events: []reelgate.SubscribableEventType{"video.ready"},
	}
	endpoint := must(client.CreateWebhookEndpointWithResponse(ctx, nil, receiver)).JSON201
	show("createWebhookEndpoint", endpoint.IsActive, endpoint.DisabledReason, endpoint.Secret != "")
	ready := reelgate.EventTypeName("video.ready")
	events := must(client.ListEventsWithResponse(ctx, &reelgate.ListEventsParams{Type: &ready})).JSON200
	event := must(events.Data[0].AsEventVideoReady())
	show("listEvents", event.Type, event.Data.Id)
	usage := must(client.GetUsageWithResponse(ctx, &reelgate.GetUsageParams{})).JSON200
	show("getUsage", usage.Encoding.Minutes, usage.Storage.LimitBytes)
	return folder.Id
}

func makeRefusedCalls(client *reelgate.ClientWithResponses, video string, name string, failed string) {
	stranger := must(clientOf("rg_live_unknown").ListVideosWithResponse(ctx, nil))
	refused("invalid_api_key", stranger.HTTPResponse, stranger.JSON401)
	missing := must(client.GetVideoWithResponse(ctx, "00000000000000000000", nil))
	refused("video_not_found", missing.HTTPResponse, missing.JSON404)
	named := reelgate.CreateFolderJSONRequestBody{Name: name}
	again := must(client.CreateFolderWithResponse(ctx, nil, named))
	refused("folder_exists", again.HTTPResponse, again.JSON409)
	nowhere := int64(999999999)
	moving := reelgate.UpdateVideoJSONRequestBody{FolderId: &nowhere}
	moved := must(client.UpdateVideoWithResponse(ctx, video, nil, moving))
	refused("folder_not_found", moved.HTTPResponse, moved.JSON400)
	backwards := reelgate.CreateChapterJSONRequestBody{Title: name, Start: 3, End: 2}
	chapter := must(client.CreateChapterWithResponse(ctx, video, nil, backwards))
	refused("invalid_chapter_range", chapter.HTTPResponse, chapter.JSON422)
	same := reelgate.UpdateVideoJSONRequestBody{ExternalId: &name}
	taken := must(client.UpdateVideoWithResponse(ctx, failed, nil, same))
	refused("external_id_taken", taken.HTTPResponse, taken.JSON409)
}
